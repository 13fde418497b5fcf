/**
 * Swagger UI leaves some controls without a name, and long bodies out of reach of the keyboard:
 * adds both, now and whenever something new is drawn. The function that it gives ends it.
 */
export function nameControls(root: ShadowRoot): () => void {
  const name = (): void => {
    for (const control of root.querySelectorAll(unnamed))
      control.setAttribute('aria-label', nameOf(control));
    for (const body of root.querySelectorAll('pre:not([tabindex])'))
      body.setAttribute('tabindex', '0');
  };
  const observer = new MutationObserver(name);
  observer.observe(root, { childList: true, subtree: true });
  return () => observer.disconnect();
}

const unnamed = ':is(select, textarea, input):not([aria-label], [aria-labelledby])';

function nameOf(control: Element): string {
  const parameter = control.closest('[data-param-name]')?.getAttribute('data-param-name');
  if (control.id === 'servers') return 'Server';
  if (control.matches('.examples-select-element'))
    return parameter === null || parameter === undefined ? 'Example' : `Example of ${parameter}`;
  if (control.matches('.body-param__text')) return 'Request body';
  return parameter ?? control.getAttribute('placeholder') ?? 'Value';
}
