/**
 * The style of every page: system fonts, both colour schemes, narrow screens and paper. Contrast is
 * at least 4.5 to 1 throughout (WCAG 2.2, 1.4.3).
 */
export const style = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf8; --card: #ffffff; --ink: #1d2025; --soft: #565c66; --line: #dcd9d3; --code: #f3f1ec;
  --bad: #a8201a; --bad-wash: #fbe9e7; --good: #1c6b3c; --good-wash: #e7f3ea; --doubt: #7a5200; --doubt-wash: #faf0d7;
  --link: #1a56a8; --mark: #ffd9d4; --mark-ink: #7d120d;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15171b; --card: #1c1f24; --ink: #e7e5e1; --soft: #a5abb5; --line: #343941; --code: #121418;
    --bad: #ff9a8f; --bad-wash: #3a1c1b; --good: #84d3a0; --good-wash: #173224; --doubt: #e6bf6a; --doubt-wash: #352a12;
    --link: #93bfff; --mark: #6b221d; --mark-ink: #ffe3df;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; overflow-wrap: break-word; }
header, nav, main { max-width: 78rem; margin: 0 auto; padding: 0 clamp(1rem, 4vw, 3rem); }
header { padding-top: clamp(1.5rem, 5vw, 3.5rem); }
main { padding-bottom: 4rem; }
dl, dd { margin: 0; }
h1 { font-size: clamp(1.4rem, 1rem + 2vw, 2.2rem); line-height: 1.2; letter-spacing: -0.015em; margin: 0 0 1.25rem; max-width: 38ch; overflow-wrap: anywhere; text-wrap: balance; }
h2 { font-size: 1.35rem; line-height: 1.3; letter-spacing: -0.01em; margin: 3.5rem 0 0.25rem; }
h3 { font-size: 1.05rem; margin: 0 0 0.35rem; overflow-wrap: anywhere; }
a { color: var(--link); text-underline-offset: 0.15em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 3px; }
code, pre, .contrast dd, .where { font-family: ui-monospace, "Cascadia Mono", "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 0.86em; }
pre code { font-size: 1em; }
code { overflow-wrap: anywhere; }
.kind { margin: 0 0 0.5rem; color: var(--soft); font-size: 0.9rem; }
.lead { margin: 0 0 1.25rem; color: var(--soft); max-width: 62ch; }
.early { background: var(--doubt-wash); color: var(--doubt); border-radius: 6px; padding: 0.5rem 0.9rem; }
.tally { list-style: none; display: flex; flex-wrap: wrap; gap: 0.5rem; margin: 0 0 1.5rem; padding: 0; }
.tally li { border: 1px solid var(--line); border-radius: 6px; background: var(--card); padding: 0.35rem 0.9rem; color: var(--soft); }
.tally strong { font-size: 1.2rem; font-variant-numeric: tabular-nums; color: var(--ink); margin-right: 0.15rem; }
.tally .passed, .tally .passed strong { color: var(--good); background: var(--good-wash); }
.tally .failed, .tally .failed strong { color: var(--bad); background: var(--bad-wash); }
.tally .not-tested, .tally .waived, .tally .advised { background: var(--doubt-wash); }
.tally .not-tested, .tally .not-tested strong, .tally .waived, .tally .waived strong, .tally .advised, .tally .advised strong { color: var(--doubt); }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(9.5rem, 100%), 1fr)); gap: 0.9rem 1.5rem; margin: 0; border-top: 1px solid var(--line); padding-top: 1.1rem; }
.facts dt { color: var(--soft); font-size: 0.82rem; }
.facts dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
.facts div:has(code) { grid-column: span 2; }
.scroll { overflow-x: auto; position: relative; }
table { border-collapse: collapse; width: 100%; background: var(--card); font-size: 0.9rem; }
th, td { text-align: left; vertical-align: top; padding: 0.5rem 0.6rem; border-bottom: 1px solid var(--line); }
thead th { font-weight: 600; font-size: 0.8rem; color: var(--soft); white-space: nowrap; }
tbody th { font-weight: 600; }
.failure { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: clamp(1rem, 3vw, 1.5rem); margin: 0 0 1.25rem; }
.failure h3 a { color: inherit; text-decoration: none; }
.failure h3 a:hover { text-decoration: underline; }
.failure h3::before { content: "Failed"; color: var(--bad); background: var(--bad-wash); border-radius: 4px; padding: 0.1rem 0.45rem; font-size: 0.78rem; margin-right: 0.6rem; vertical-align: 0.1em; }
.failure.waived h3::before { content: "Waived"; }
.failure.advised h3::before { content: "Advised"; }
.failure.waived h3::before, .failure.advised h3::before { color: var(--doubt); background: var(--doubt-wash); }
.requirement { margin: 0; font-size: 1.05rem; max-width: 70ch; }
.source { margin: 0.1rem 0 1rem; color: var(--soft); font-size: 0.86rem; overflow-wrap: anywhere; }
.contrast { margin: 0; display: grid; gap: 0.35rem; }
.contrast div { display: grid; grid-template-columns: 6.5rem 1fr; gap: 0.75rem; align-items: baseline; }
.contrast dt { color: var(--soft); font-size: 0.86rem; }
.contrast dd { margin: 0; overflow-wrap: anywhere; white-space: pre-wrap; font-size: 0.9em; }
.label { margin: 0.75rem 0 0.25rem; color: var(--soft); font-size: 0.86rem; }
pre { margin: 0; background: var(--code); border-radius: 6px; padding: 0.7rem 0.9rem; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 24rem; overflow-y: auto; }
.more, .note { color: var(--soft); font-size: 0.9rem; margin: 1rem 0 0; }
.list { min-width: 42rem; }
.list th { font-weight: 400; width: 32%; }
.list thead th { font-weight: 600; }
.list ul { margin: 0; padding: 0; list-style: none; }
.list td { overflow-wrap: anywhere; }
.reason { border-bottom: 1px solid var(--line); padding: 0.5rem 0; }
.reason summary { cursor: pointer; }
.reason .count { display: inline-block; min-width: 2.2rem; font-weight: 600; font-variant-numeric: tabular-nums; }
.reason ul { columns: 22rem; margin: 0.5rem 0; padding-left: 1.2rem; }
@media (max-width: 46rem) {
  :is(.matrix, .list), :is(.matrix, .list) :is(tbody, tr, td, th) { display: block; width: auto; min-width: 0; }
  :is(.matrix, .list) thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
  :is(.matrix, .list) tr { padding: 0.4rem 0 0.7rem; border-bottom: 1px solid var(--line); }
  :is(.matrix, .list) :is(th, td) { border: 0; padding: 0.3rem 0.6rem; }
  .contrast div { grid-template-columns: 1fr; gap: 0; }
  .contrast dd { margin-bottom: 0.35rem; }
}
@media print {
  :root { color-scheme: light; --paper: #fff; --card: #fff; --ink: #000; --soft: #454a52; --line: #c9c6c0; --code: #f3f1ec; --bad: #a8201a; --bad-wash: #fbe9e7; --good: #1c6b3c; --good-wash: #e7f3ea; --doubt: #7a5200; --doubt-wash: #faf0d7; }
  body { font-size: 10pt; }
  pre { max-height: none; }
  pre, tr, .contrast { break-inside: avoid-page; }
  h2, h3, .lead { break-after: avoid; }
  .scroll { overflow: visible; }
}
`;
