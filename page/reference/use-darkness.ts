import { useEffect, useState } from 'preact/hooks';

/** True while the page is shown dark: as it was chosen, else as the system asks for. */
export function useDarkness(): boolean {
  const [isDark, setIsDark] = useState(readDarkness);
  useEffect(() => {
    const follow = (): void => setIsDark(readDarkness());
    const observer = new MutationObserver(follow);
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    const query = matchMedia('(prefers-color-scheme: dark)');
    query.addEventListener('change', follow);
    return () => {
      observer.disconnect();
      query.removeEventListener('change', follow);
    };
  }, []);
  return isDark;
}

function readDarkness(): boolean {
  const theme = document.documentElement.dataset['theme'];
  return theme === undefined
    ? matchMedia('(prefers-color-scheme: dark)').matches
    : theme === 'dark';
}
