/**
 * The script of a static page: copy buttons copy, and a link in a popover closes it. Plain
 * JavaScript of a browser; everything else works without it.
 */
export const copyScript = `
document.addEventListener('click', async ({ target }) => {
  target.closest('[popover] a')?.closest('[popover]').hidePopover();
  const button = target.closest('.copy');
  if (button === null) return;
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
  } catch {
    const field = document.createElement('textarea');
    field.value = button.dataset.copy;
    button.after(field);
    field.select();
    document.execCommand('copy');
    field.remove();
    button.focus();
  }
  button.textContent = 'Copied';
  document.querySelector('[role=status]').textContent = button.ariaLabel.replace('Copy', 'Copied');
  setTimeout(() => { button.textContent = 'Copy'; }, 2000);
});
`;
