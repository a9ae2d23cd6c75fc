import { type RefCallback, useCallback, useState } from 'react';

/** The width is 0 before the element is mounted. */
export function useWidth(): [widthPx: number, measure: RefCallback<HTMLElement>] {
  const [widthPx, setWidthPx] = useState(0);
  const measure = useCallback((element: HTMLElement) => {
    setWidthPx(element.clientWidth);
    const observer = new ResizeObserver(() => setWidthPx(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [widthPx, measure];
}
