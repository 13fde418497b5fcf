/** `2026-06-01 09:08:07`, by the clock of this machine's zone. */
export function renderMoment(at: string): string {
  const date = new Date(at);
  return `${renderDate(date)} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => pad(part, 2)).join(':')}`;
}

/** The time of a day by the clock of this machine's zone, with the date where it is another day. */
export function renderTime(at: string, now = new Date()): string {
  const date = new Date(at);
  const time = `${pad(date.getHours(), 2)}:${pad(date.getMinutes(), 2)}:${pad(date.getSeconds(), 2)}.${pad(date.getMilliseconds(), 3)}`;
  const isToday = date.toDateString() === now.toDateString();
  return isToday ? time : `${renderDate(date)} ${time}`;
}

function renderDate(date: Date): string {
  return `${date.getFullYear()}-${pad(date.getMonth() + 1, 2)}-${pad(date.getDate(), 2)}`;
}

function pad(value: number, length: number): string {
  return `${value}`.padStart(length, '0');
}
