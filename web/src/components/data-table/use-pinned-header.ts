import { useCallback } from 'react';

/**
 * Returns a ref for the table of a list that scrolls sideways. Such a list is a scroll container, in which `position:
 * sticky` does not follow the page. The ref therefore passes the table's position in the viewport to the style sheet.
 */
export function usePinnedHeader(isSideways: boolean) {
  return useCallback(
    (table: HTMLTableElement) => {
      if (!isSideways) return;
      const measure = () => {
        const { top, height } = table.getBoundingClientRect();
        table.style.setProperty('--table-top', `${top}px`);
        table.style.setProperty('--table-height', `${height}px`);
      };
      measure();
      window.addEventListener('scroll', measure, { passive: true });
      const observer = new ResizeObserver(measure);
      observer.observe(table);
      // Filters and notices above the list change the list's position.
      observer.observe(document.body);
      return () => {
        window.removeEventListener('scroll', measure);
        observer.disconnect();
      };
    },
    [isSideways],
  );
}
