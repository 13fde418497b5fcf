/** The style of what only the page of a certificate has; it is made for A4 too. */
export const certificateStyle = `
.conforms { --tone: var(--good); --wash: var(--good-wash); }
.failed { --tone: var(--bad); --wash: var(--bad-wash); }
/* It conforms, but for what somebody agreed to live with. */
body.waived, .incomplete { --tone: var(--doubt); --wash: var(--doubt-wash); }
header, main { max-width: 54rem; }
header { padding-top: clamp(1.5rem, 5vw, 3.5rem); }
h1 { margin-bottom: 1.25rem; font-size: clamp(1.7rem, 1.1rem + 3vw, 2.9rem); }
h2 { font-size: 1.35rem; margin: 3rem 0 0.25rem; }
.tally { margin-bottom: 1.5rem; }
.facts { border-top: 1px solid var(--line); padding-top: 1.1rem; }
.failure { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: clamp(1rem, 3vw, 1.5rem); margin: 0 0 1.25rem; }
.failure h3::before { content: "Failed"; color: var(--bad); background: var(--bad-wash); border-radius: 4px; padding: 0.1rem 0.45rem; font-size: 0.78rem; margin-right: 0.6rem; vertical-align: 0.1em; }
.failure.waived h3::before { content: "Waived"; }
.failure.advised h3::before { content: "Advised"; }
.failure:is(.waived, .advised) h3::before { color: var(--doubt); background: var(--doubt-wash); }
.requirement { margin: 0.25rem 0 0.75rem; max-width: 70ch; }
h1 span { font-weight: 400; color: var(--soft); }
dt { color: var(--soft); font-size: 0.85rem; }
.level { background: var(--wash); border-left: 5px solid var(--tone); border-radius: 0 6px 6px 0; padding: 0.9rem 1.1rem; margin: 0 0 1.25rem; }
.level strong { display: block; color: var(--tone); font-size: 1.5rem; line-height: 1.25; letter-spacing: -0.01em; }
.note { color: var(--doubt); }
tbody th { font-weight: 400; }
td .passed { color: var(--good); }
td .failed { color: var(--bad); }
td .waived, td .not-tested { color: var(--doubt); }
td .none { color: var(--soft); font-weight: 400; }
.numbers th:not(:first-child), .numbers td, .appendix th:last-child, .appendix td:last-child { text-align: right; font-variant-numeric: tabular-nums; }
.numbers td { font-weight: 600; }
.appendix tbody th { width: 68%; }
.why { margin: 0.75rem 0 0.25rem; }
.ids { columns: 20rem; margin: 0; padding-left: 1.2rem; font-size: 0.92rem; }
.settings { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(14rem, 100%), 1fr)); gap: 0.5rem 1.5rem; }
.digests { display: grid; gap: 0.7rem; margin-bottom: 1.25rem; }
.scroll + article { margin-top: 1rem; }
@page { size: A4; margin: 16mm 15mm; }
@media print {
  body { font-size: 9.5pt; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  header, main { max-width: none; padding: 0; }
  h2 { margin-top: 1.6rem; }
  article, .digests div, .level { break-inside: avoid; }
  .why, thead { break-after: avoid; }
  thead { display: table-header-group; }
  table { font-size: 8.5pt; }
  th, td { padding-top: 0.2rem; padding-bottom: 0.2rem; }
  tbody th br { display: none; }
  tbody th br + code { margin-left: 0.5em; }
  .settings { grid-template-columns: repeat(4, 1fr); }
  .appendix { font-size: 7pt; line-height: 1.3; }
  .appendix th, .appendix td { padding-top: 0.12rem; padding-bottom: 0.12rem; }
  .appendix tbody th > code:first-child { margin-right: 0.5em; }
  section:last-child { break-before: page; }
}
`;
