/**
 * The script of a static page: copy buttons work, and links in a popover close it. Plain browser
 * JavaScript; everything else works without it.
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
