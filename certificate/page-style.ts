/** The style of what only the page of a certificate has, after that of a report; made for A4 too. */
export const certificateStyle = `
.conforms { --tone: var(--good); --wash: var(--good-wash); }
.failed { --tone: var(--bad); --wash: var(--bad-wash); }
/* It conforms, but for failures that somebody accepted for a while. */
body.waived, .incomplete { --tone: var(--doubt); --wash: var(--doubt-wash); }
header { padding-top: clamp(1.5rem, 5vw, 3.5rem); }
h1 { margin-bottom: 1.25rem; font-size: clamp(1.7rem, 1.1rem + 3vw, 2.9rem); }
h1 span { font-weight: 400; color: var(--soft); }
.tally { margin-bottom: 1.5rem; }
.facts { border-top: 1px solid var(--line); padding-top: 1.1rem; }
dt { color: var(--soft); font-size: 0.85rem; }
.level { background: var(--wash); border-left: 5px solid var(--tone); border-radius: 0 6px 6px 0; padding: 0.9rem 1.1rem; margin: 0 0 1.25rem; }
.level strong { display: block; color: var(--tone); font-size: 1.5rem; line-height: 1.25; letter-spacing: -0.01em; }
.note { color: var(--doubt); }
.settings { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(14rem, 100%), 1fr)); gap: 0.5rem 1.5rem; }
.digests { display: grid; gap: 0.7rem; margin-bottom: 1.25rem; }
@page { size: A4; margin: 16mm 15mm; }
@media print {
  body { font-size: 9.5pt; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  header, main { max-width: none; padding: 0; }
  .digests div, .level { break-inside: avoid; }
  .settings { grid-template-columns: repeat(4, 1fr); }
}
`;
