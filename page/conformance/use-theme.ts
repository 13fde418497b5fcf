import { useEffect, useState } from 'preact/hooks';

/** The theme that was chosen for the page, as it changes; empty for that of the system. */
export function useTheme(): string {
  const root = document.documentElement;
  const [theme, setTheme] = useState(root.dataset['theme'] ?? '');
  useEffect(() => {
    const observer = new MutationObserver(() => setTheme(root.dataset['theme'] ?? ''));
    observer.observe(root, { attributeFilter: ['data-theme'] });
    return () => observer.disconnect();
  }, [root]);
  return theme;
}
