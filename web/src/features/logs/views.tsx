import { Button, Popover, TextInput } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { z } from 'zod';
import { DeleteIcon } from '#components/ui/action-icons.ts';
import { IconButton } from '#components/ui/icon-button.tsx';
import type { Opening } from '#components/ui/lazy-opener.tsx';
import { type LogsSearch, logsSearch } from './search.ts';
import styles from './views.module.css';

const savedViews = z.array(z.object({ name: z.string(), search: logsSearch })).catch([]);

export type SavedView = z.output<typeof savedViews>[number];

/** Views are saved in this browser. */
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

/** The page and the open row are not part of a view. */
const viewOf = ({ page: _page, cursor: _cursor, open: _open, ...view }: LogsSearch): LogsSearch => view;

function readViews(text: string | undefined): readonly SavedView[] {
  try {
    return savedViews.parse(JSON.parse(text ?? '[]'));
  } catch {
    return [];
  }
}

interface LogViewsProps {
  opening: Opening;
  search: LogsSearch;
}

export function LogViews({ opening, search }: LogViewsProps) {
  const { views, save, remove } = useSavedViews();
  const [name, setName] = useState('');
  return (
    <Popover position="bottom-end" width={280} trapFocus {...opening.floatingProps}>
      <Popover.Target>{opening.anchor}</Popover.Target>
      <Popover.Dropdown aria-label="Views" className={styles.views}>
        {views.length === 0 && (
          <p className={styles.note}>
            No views yet. A view keeps filters, columns and sorting in this browser.
          </p>
        )}
        <ul>
          {views.map((view) => (
            <li key={view.name} className={styles.view}>
              <ViewLink view={view} onChoose={() => opening.floatingProps.onChange(false)} />
              <IconButton
                label={`Delete ${view.name}`}
                icon={DeleteIcon}
                iconSize={14}
                onClick={() => remove(view.name)}
              />
            </li>
          ))}
        </ul>
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            if (name.trim() === '') return;
            save(name.trim(), search);
            setName('');
          }}
        >
          <TextInput
            label="Save this view as"
            maxLength={60}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" disabled={name.trim() === ''}>
            Save
          </Button>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}

function ViewLink({ view, onChoose }: { view: SavedView; onChoose: () => void }) {
  return (
    <Link to="/admin/logs" search={view.search} className={styles.name} onClick={onChoose}>
      {view.name}
    </Link>
  );
}
