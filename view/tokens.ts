/**
 * Colours of every page, light and dark. Contrast of text is at least 4.5 to 1 (WCAG 2.2, 1.4.3).
 * `data-theme` on the root overrules what the system asks for.
 */
export const tokens = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#fbfaf8, #15171b); --card: light-dark(#ffffff, #1c1f24); --ink: light-dark(#1d2025, #e7e5e1);
  --soft: light-dark(#565c66, #a5abb5); --line: light-dark(#dcd9d3, #343941); --code: light-dark(#f3f1ec, #121418);
  --bad: light-dark(#a8201a, #ff9a8f); --bad-wash: light-dark(#fbe9e7, #3a1c1b);
  --good: light-dark(#1c6b3c, #84d3a0); --good-wash: light-dark(#e7f3ea, #173224);
  --doubt: light-dark(#7a5200, #e6bf6a); --doubt-wash: light-dark(#faf0d7, #352a12);
  --link: light-dark(#1a56a8, #93bfff); --mark: light-dark(#ffd9d4, #6b221d); --mark-ink: light-dark(#7d120d, #ffe3df);
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  --mono: ui-monospace, "Cascadia Mono", "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
@media print { :root, :root[data-theme] { color-scheme: light; --paper: #fff; --ink: #000; } }
`;
