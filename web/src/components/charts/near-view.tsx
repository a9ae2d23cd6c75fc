import { useIntersection } from '@mantine/hooks';
import { createContext, type ReactNode, useContext } from 'react';
import { useEverTrue } from '#lib/lazy-part.tsx';

const NearContext = createContext(true);

/** Returns whether the closest `NearView` has come near the window; true outside of one. */
export const useIsNear = (): boolean => useContext(NearContext);

// Charts within this distance of the window load, so that they have arrived when they are scrolled to.
const observed = { rootMargin: '300px 0px' };

interface NearViewProps {
  className?: string | undefined;
  children: ReactNode;
}

/** Cell whose charts load their data when it first comes near the window. */
export function NearView({ className, children }: NearViewProps) {
  const { ref, entry } = useIntersection<HTMLDivElement>(observed);
  const isNear = useEverTrue(entry?.isIntersecting ?? false);
  return (
    <div ref={ref} className={className}>
      <NearContext value={isNear}>{children}</NearContext>
    </div>
  );
}
