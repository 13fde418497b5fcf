/** Scrolls until an element stands right below the header, which covers the top of the page. */
export function bringToTop(element: HTMLElement): void {
  const covered = document.querySelector('.bar')?.getBoundingClientRect().height ?? 0;
  element.style.scrollMarginTop = `${covered + 12}px`;
  element.scrollIntoView();
}
