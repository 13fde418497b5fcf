const units = [
  ['year', 31_557_600],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** A length of time by its two largest units: `1 hour 5 minutes`. The page spells it so too. */
export function renderDuration(milliseconds: number): string {
  let left = Math.max(0, Math.ceil(milliseconds / 1000));
  const parts: string[] = [];
  for (const [name, seconds] of units) {
    const count = Math.floor(left / seconds);
    left -= count * seconds;
    if (count > 0) parts.push(`${count} ${name}${count === 1 ? '' : 's'}`);
    else if (parts.length > 0) break;
    if (parts.length === 2) break;
  }
  return parts.join(' ') || '0 seconds';
}

/** How far a clock is from another: `3 days 2 hours ahead`, `1 day behind`. */
export function renderOffset(milliseconds: number): string {
  const length = 1000 * Math.round(Math.abs(milliseconds) / 1000);
  return `${renderDuration(length)} ${milliseconds < 0 ? 'behind' : 'ahead'}`;
}
