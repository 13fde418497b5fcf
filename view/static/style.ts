/** The style of every document that stands alone: its column, its head and what leads a section. */
export const documentStyle = `
header, main { max-width: 80rem; margin: 0 auto; padding: 0 clamp(1rem, 4vw, 2.5rem); }
header { padding-top: 1.1rem; }
main { padding-bottom: 2rem; }
h1 { font-size: clamp(1.15rem, 0.9rem + 1vw, 1.6rem); line-height: 1.25; letter-spacing: -0.01em; margin: 0 0 0.7rem; overflow-wrap: anywhere; text-wrap: balance; }
.kind { margin: 0 0 0.2rem; color: var(--soft); font-size: 0.88rem; }
.lead { margin: 0.25rem 0 0.75rem; color: var(--soft); max-width: 70ch; }
.contrast { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(12rem, 100%), 1fr)); gap: 0.5rem 1.25rem; background: var(--code); border-radius: 6px; padding: 0.6rem 0.9rem; }
.contrast dt { color: var(--soft); font-size: 0.82rem; }
.contrast dd { font: 0.86em/1.5 var(--mono); overflow-wrap: anywhere; white-space: pre-wrap; }
@media print {
  header, main { max-width: none; }
  figure, .contrast { break-inside: avoid-page; }
}
`;
