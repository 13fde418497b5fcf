/**
 * The style of the page: system fonts, both colour schemes, narrow screens and A4. Contrast is at
 * least 4.5 to 1 throughout (WCAG 2.2, 1.4.3).
 */
export const style = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf8; --card: #ffffff; --ink: #1d2025; --soft: #565c66; --line: #dcd9d3; --code: #f3f1ec;
  --bad: #a8201a; --bad-wash: #fbe9e7; --good: #1c6b3c; --good-wash: #e7f3ea; --doubt: #7a5200; --doubt-wash: #faf0d7;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15171b; --card: #1c1f24; --ink: #e7e5e1; --soft: #a5abb5; --line: #343941; --code: #121418;
    --bad: #ff9a8f; --bad-wash: #3a1c1b; --good: #84d3a0; --good-wash: #173224; --doubt: #e6bf6a; --doubt-wash: #352a12;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; overflow-wrap: anywhere; -webkit-text-size-adjust: 100%; }
.conforms { --tone: var(--good); --wash: var(--good-wash); }
.failed { --tone: var(--bad); --wash: var(--bad-wash); }
.incomplete { --tone: var(--doubt); --wash: var(--doubt-wash); }
header, main { max-width: 54rem; margin: 0 auto; padding: 0 clamp(1rem, 4vw, 2.5rem); }
header { padding-top: clamp(1.5rem, 6vw, 4rem); }
main { padding-bottom: 4rem; }
.kind, .lead, dt { color: var(--soft); }
.kind { margin: 0 0 0.4rem; font-size: 0.95rem; }
h1 { font-size: clamp(1.7rem, 1.1rem + 3vw, 2.9rem); line-height: 1.15; letter-spacing: -0.02em; margin: 0 0 1.25rem; text-wrap: balance; }
h1 span { font-weight: 400; color: var(--soft); }
h2 { font-size: 1.3rem; line-height: 1.3; letter-spacing: -0.01em; margin: 3rem 0 0.2rem; }
h3 { font-size: 1rem; margin: 0 0 0.3rem; }
.lead { margin: 0 0 1rem; max-width: 62ch; }
.level { background: var(--wash); border-left: 5px solid var(--tone); border-radius: 0 6px 6px 0; padding: 0.9rem 1.1rem; margin: 0 0 1.25rem; }
.level strong { display: block; color: var(--tone); font-size: 1.5rem; line-height: 1.25; letter-spacing: -0.01em; }
.tally { list-style: none; display: flex; flex-wrap: wrap; gap: 0.5rem; margin: 0 0 1.5rem; padding: 0; }
.tally li { border: 1px solid var(--line); border-radius: 6px; background: var(--card); padding: 0.3rem 0.85rem; color: var(--soft); }
.tally strong { font-size: 1.15rem; font-variant-numeric: tabular-nums; color: var(--ink); }
.tally .good, .tally .good strong, td.good { color: var(--good); }
.tally .bad, .tally .bad strong, td.bad { color: var(--bad); }
.tally .doubt, .tally .doubt strong, td.doubt { color: var(--doubt); }
.tally .good { background: var(--good-wash); } .tally .bad { background: var(--bad-wash); } .tally .doubt { background: var(--doubt-wash); }
dl { margin: 0; }
dd { margin: 0; }
dt { font-size: 0.85rem; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(14rem, 100%), 1fr)); gap: 0.8rem 1.5rem; border-top: 1px solid var(--line); padding-top: 1rem; }
.note { color: var(--doubt); }
code, pre { font-family: ui-monospace, "Cascadia Mono", "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 0.86em; }
pre { margin: 0; background: var(--code); border-radius: 6px; padding: 0.7rem 0.9rem; white-space: pre-wrap; }
pre code { font-size: 1em; }
table { border-collapse: collapse; width: 100%; font-size: 0.92rem; }
th, td { text-align: left; vertical-align: top; padding: 0.45rem 0.8rem 0.45rem 0; border-bottom: 1px solid var(--line); }
thead th { color: var(--soft); font-size: 0.82rem; font-weight: 600; }
tbody th { font-weight: 400; }
.numbers th:not(:first-child), .numbers td, .appendix th:last-child, .appendix td:last-child { text-align: right; font-variant-numeric: tabular-nums; }
.numbers td { font-weight: 600; }
td.none { color: var(--soft); font-weight: 400; }
.appendix tbody th { width: 68%; }
.appendix strong { font-weight: 600; color: var(--good); }
.appendix .failed strong { color: var(--bad); }
.appendix .waived strong, .appendix .not tested strong { color: var(--doubt); }
article { border: 1px solid var(--line); border-radius: 8px; background: var(--card); padding: 1rem 1.25rem; margin: 0 0 0.9rem; }
article p { margin: 0 0 0.6rem; }
article dl div { display: grid; grid-template-columns: 6rem 1fr; gap: 0.75rem; align-items: baseline; }
.reason { margin: 0.75rem 0 0.25rem; }
td { min-width: 6.5rem; }
.waivers { display: block; overflow-x: auto; }
.waivers th, .waivers td { min-width: 7rem; }
.waivers tbody th { min-width: 14rem; }
.numbers td, .appendix td { min-width: 0; }
.ids { columns: 20rem; margin: 0; padding-left: 1.2rem; font-size: 0.92rem; }
details summary { cursor: pointer; margin-bottom: 0.5rem; }
.settings { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(14rem, 100%), 1fr)); gap: 0.5rem 1.5rem; }
.digests { display: grid; gap: 0.7rem; margin-bottom: 1.25rem; }
table + article { margin-top: 1rem; }
@media (max-width: 34rem) {
  th, td { padding-right: 0.5rem; }
  article dl div { grid-template-columns: 1fr; gap: 0; }
}
@page { size: A4; margin: 16mm 15mm; }
@media print {
  :root { color-scheme: light; --paper: #fff; --card: #fff; --ink: #000; --soft: #454a52; --line: #c9c6c0; --code: #f3f1ec; --bad: #a8201a; --bad-wash: #fbe9e7; --good: #1c6b3c; --good-wash: #e7f3ea; --doubt: #7a5200; --doubt-wash: #faf0d7; }
  body { font-size: 9.5pt; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  header, main { max-width: none; padding: 0; }
  h2 { margin-top: 1.6rem; }
  tr, article, .digests div, .level { break-inside: avoid; }
  h2, h3, .lead, .reason, thead { break-after: avoid; }
  thead { display: table-header-group; }
  table { font-size: 8.5pt; }
  th, td { padding-top: 0.2rem; padding-bottom: 0.2rem; }
  tbody th br { display: none; }
  tbody th br + code { margin-left: 0.5em; }
  .appendix tbody th > code:first-child { margin-right: 0.5em; }
  .settings { grid-template-columns: repeat(4, 1fr); }
  .appendix { font-size: 7pt; line-height: 1.3; }
  .appendix th, .appendix td { padding-top: 0.12rem; padding-bottom: 0.12rem; }
  section:last-child { break-before: page; }
}
`;
