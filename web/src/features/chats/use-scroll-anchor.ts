import { type UIEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** How near to its end the thread has to be to be kept there. */
const nearPx = 40;

/** Keeps the end of what grows in view; whoever scrolls up is moved no more, until they are back at the end. */
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
  // Pictures and colours come after the message, and a window may be made smaller.
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
    // What became shorter than the box was scrolled to is at its end, too, although it moved upwards.
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
