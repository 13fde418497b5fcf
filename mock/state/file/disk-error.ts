import { PetstoreError } from '../../../contract/index.ts';

/** Whether something thrown is an error of the system with one of these codes, as `ENOENT`. */
export function hasErrorCode(error: unknown, ...codes: readonly string[]): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    codes.includes(error.code)
  );
}

/** What a person can do about a failure of the disk, by the code of the system. */
const remedies: readonly (readonly [codes: readonly string[], why: string, remedy: string])[] = [
  [['ENOSPC', 'EDQUOT'], 'the disk is full', 'Free disk space. Acknowledged changes are stored.'],
  [
    ['EACCES', 'EPERM', 'EROFS'],
    'this user may not write to it',
    'Allow this user to write to the folder, or use another folder.',
  ],
  [['ENOTDIR', 'EEXIST'], 'it is a file, not a folder', 'Name a folder.'],
  [['EMFILE', 'ENFILE'], 'too many files are open', 'Raise the limit of open files.'],
];

/** The error that users see for one of the system. */
export function explainDiskError(folder: string, cause: unknown): PetstoreError {
  if (cause instanceof PetstoreError) return cause;
  const known = remedies.find(([codes]) => hasErrorCode(cause, ...codes));
  const why = known?.[1] ?? (cause instanceof Error ? cause.message : String(cause));
  const remedy = known?.[2] ?? 'Check the disk, then start again.';
  return new PetstoreError('state', `The state cannot be stored in ${folder}: ${why}.`, {
    place: folder,
    remedy,
    cause,
  });
}
