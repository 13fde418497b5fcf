/** `2026-06-01 09:08:07`, by the clock of this machine's zone. */
export function renderMoment(at: string): string {
  return renderLocal(new Date(at)).slice(0, 19);
}

/** The time of a day by the clock of this machine's zone, with the date where it is another day. */
export function renderTime(at: string, now = new Date()): string {
  const date = new Date(at);
  const isToday = date.toDateString() === now.toDateString();
  return renderLocal(date).slice(isToday ? 11 : 0);
}

/** `2026-06-01 09:08:07.123`. */
function renderLocal(date: Date): string {
  const shifted = new Date(date.getTime() - 60_000 * date.getTimezoneOffset());
  return shifted.toISOString().replace('T', ' ').slice(0, -1);
}
