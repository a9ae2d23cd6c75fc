import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { formatCount } from '#lib/format-number.ts';
import styles from './panel-list.module.css';

/** Number of items shown before the list is expanded. */
const stepCount = 50;

interface PanelListProps<Item> {
  label: string;
  items: readonly Item[];
  /** Plural noun for the items of a long list, for example `members`. */
  noun?: string;
  /** Renders an item as an `li` with a key. */
  children: (item: Item, index: number) => ReactNode;
}

export function PanelList<Item>({ label, items, noun = '', children }: PanelListProps<Item>) {
  const [shownMax, setShownMax] = useState(stepCount);
  return (
    <>
      <ul className={styles.list} aria-label={label}>
        {items.slice(0, shownMax).map(children)}
      </ul>
      {items.length > shownMax && (
        <div className={`quiet ${styles.rest}`}>
          <Button variant="default" onClick={() => setShownMax(shownMax + stepCount)}>
            Show more
          </Button>
          <span className="num">
            {formatCount(shownMax)} of {formatCount(items.length)} {noun}
          </span>
        </div>
      )}
    </>
  );
}
