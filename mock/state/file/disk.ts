/**
 * What the engine does with the files of one folder, named without it. Nothing is safe from a loss
 * of power before its sync has resolved.
 */
export interface Disk {
  list(): Promise<readonly string[]>;
  /** Opens a file that is there to read and write it. */
  open(name: string): Promise<DiskFile>;
  /** Makes an empty file, in the place of one of that name. */
  create(name: string): Promise<DiskFile>;
  /** Atomic; takes the place of a file of that name. */
  rename(from: string, to: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Makes durable which names the folder holds. */
  syncFolder(): Promise<void>;
}

/** An open file. Places and sizes are in bytes. */
export interface DiskFile {
  size(): Promise<number>;
  /** Fewer bytes than wanted only at the end of the file. */
  read(position: number, length: number): Promise<Buffer>;
  /** All bytes, or it rejects; then some may be written. */
  write(position: number, bytes: Buffer): Promise<void>;
  truncate(size: number): Promise<void>;
  /** Makes the content and the size durable. */
  sync(): Promise<void>;
  close(): Promise<void>;
}
