import { Button, Popover, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useState } from 'react';
import { DeleteIcon } from '../../components/ui/action-icons.ts';
import { IconButton } from '../../components/ui/icon-button.tsx';
import type { LogsSearch } from './search.ts';
import { useSavedViews } from './use-saved-views.ts';
import styles from './views.module.css';

interface LogViewsProps {
  search: LogsSearch;
  /** Button that opened it. */
  opener: ReactElement;
  onClose: () => void;
}

/** Saved views, and a field to save the current one. Rendered open. */
export function LogViews({ search, opener, onClose }: LogViewsProps) {
  const { views, save, remove } = useSavedViews();
  const [name, setName] = useState('');
  return (
    <Popover position="bottom-end" width={280} trapFocus defaultOpened onClose={onClose}>
      <Popover.Target>{opener}</Popover.Target>
      <Popover.Dropdown aria-label="Views" className={styles.views}>
        {views.length === 0 && (
          <p className={styles.note}>
            No views yet. A view keeps filters, columns and sorting in this browser.
          </p>
        )}
        <ul>
          {views.map((view) => (
            <li key={view.name} className={styles.view}>
              <Link to="/admin/logs" search={view.search} className={styles.name}>
                {view.name}
              </Link>
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
