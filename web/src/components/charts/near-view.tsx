import { useIntersection } from '@mantine/hooks';
import { createContext, type ReactNode, useContext } from 'react';
import { useEverTrue } from '#lib/lazy-part.tsx';

const NearContext = createContext(true);

/** Whether the closest `NearView` has come near the viewport. Returns `true` outside a `NearView`. */
export const useIsNear = (): boolean => useContext(NearContext);

// Distance from the viewport at which charts start to load, so that they are ready when the user scrolls to them.
const observed = { rootMargin: '300px 0px' };

interface NearViewProps {
  className?: string | undefined;
  children: ReactNode;
}

/** Charts in the cell load their data when the cell first comes near the viewport. */
export function NearView({ className, children }: NearViewProps) {
  const { ref, entry } = useIntersection<HTMLDivElement>(observed);
  const isNear = useEverTrue(entry?.isIntersecting ?? false);
  return (
    <div ref={ref} className={className}>
      <NearContext value={isNear}>{children}</NearContext>
    </div>
  );
}
