import { useLocalStorage } from '@mantine/hooks';
import { z } from 'zod';
import { type LogsSearch, logsSearch } from './search.ts';

const savedViews = z.array(z.object({ name: z.string(), search: logsSearch })).catch([]);

export type SavedView = z.output<typeof savedViews>[number];

/** Views of the log saved in this browser, by name. */
export function useSavedViews() {
  const [views, setViews] = useLocalStorage<readonly SavedView[]>({
    key: 'sluice-log-views',
    defaultValue: [],
    getInitialValueInEffect: false,
    serialize: JSON.stringify,
    deserialize: readViews,
  });
  const without = (name: string) => views.filter((view) => view.name !== name);
  return {
    views,
    save: (name: string, search: LogsSearch) =>
      setViews([...without(name), { name, search: viewOf(search) }].toSorted(byName)),
    remove: (name: string) => setViews(without(name)),
  };
}

const byName = (one: SavedView, other: SavedView) => one.name.localeCompare(other.name);

/** Leaves out page and open row, which are not part of a view. */
const viewOf = ({ page: _page, cursor: _cursor, open: _open, ...view }: LogsSearch): LogsSearch => view;

function readViews(text: string | undefined): readonly SavedView[] {
  try {
    return savedViews.parse(JSON.parse(text ?? '[]'));
  } catch {
    return [];
  }
}
