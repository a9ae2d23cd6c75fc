import { useSessionStorage } from '@mantine/hooks';
import { Clock } from 'lucide-react';
import type { Place } from './commands.ts';

const keptCount = 5;

type Kept = Pick<Place, 'id' | 'label' | 'href'> & { detail: string | undefined };

/** Places last opened with the palette. Kept only while the tab is open, since they contain names. */
export function useRecentPlaces(): { places: readonly Place[]; note: (place: Place) => void } {
  const [kept, setKept] = useSessionStorage<readonly Kept[]>({
    key: 'sluice-recent-places',
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  return {
    places: kept.map(({ detail, ...place }) => ({
      ...place,
      ...(detail === undefined ? {} : { detail }),
      group: 'Recent',
      icon: Clock,
    })),
    note: ({ id, label, detail, href }) => {
      const others = kept.filter((place) => place.id !== id);
      setKept([{ id, label, detail, href }, ...others].slice(0, keptCount));
    },
  };
}
