import { type UIEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Maximum distance from the end at which the thread follows new text. */
const nearPx = 40;

/** Keeps the end of a growing thread in view, except while the reader has scrolled up. */
export function useScrollAnchor() {
  const box = useRef<HTMLElement>(null);
  const isAtEnd = useRef(true);
  const lastTop = useRef(0);
  const [isAway, setAway] = useState(false);
  const toEnd = () => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  };
  useLayoutEffect(() => {
    if (isAtEnd.current) toEnd();
  });
  // Pictures and code colors change the height later, and the window may be resized.
  useEffect(() => {
    const content = box.current?.firstElementChild;
    if (!box.current || !content) return;
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current && box.current) box.current.scrollTop = box.current.scrollHeight;
    });
    observer.observe(box.current);
    observer.observe(content);
    return () => observer.disconnect();
  }, []);
  const onScroll = ({ currentTarget }: UIEvent<HTMLElement>) => {
    const { scrollTop, scrollHeight, clientHeight } = currentTarget;
    const leftPx = scrollHeight - scrollTop - clientHeight;
    const isUpwards = scrollTop < lastTop.current;
    lastTop.current = scrollTop;
    // A thread that became shorter than its scroll position is at its end too, although it moved up.
    isAtEnd.current = leftPx <= 1 || (leftPx < nearPx && !isUpwards);
    setAway(!isAtEnd.current && leftPx > nearPx);
  };
  const goToEnd = () => {
    isAtEnd.current = true;
    setAway(false);
    toEnd();
  };
  return { box, onScroll, isAway, goToEnd };
}
