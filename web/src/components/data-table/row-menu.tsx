import { Ellipsis } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { loadPart } from '../../lib/load-part.ts';
import { IconButton } from '../ui/icon-button.tsx';
import type { RowAction } from './row-action.ts';

const RowMenuList = lazy(
  loadPart(() => import('./row-menu-list.tsx').then((file) => ({ default: file.RowMenuList }))),
);

interface RowMenuProps<Row> {
  row: Row;
  name: string;
  actions: readonly RowAction<Row>[];
  tabIndex: number;
}

/** Until its first use only a button: a menu for each row would make scrolling through many rows slow. */
export function RowMenu<Row>({ row, name, actions, tabIndex }: RowMenuProps<Row>) {
  const [isUsed, setUsed] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const buttonProps = {
    label: name,
    icon: Ellipsis,
    tabIndex,
    ref: button,
    'aria-haspopup': 'menu',
  } as const;
  if (!isUsed) return <IconButton {...buttonProps} onClick={() => setUsed(true)} />;
  const items = actions.map(({ obstacle, run, ...action }) => ({
    ...action,
    obstacle: obstacle?.(row) ?? null,
    run: () => run(row),
  }));
  return (
    <Suspense fallback={<IconButton {...buttonProps} />}>
      <RowMenuList items={items} onClose={() => button.current?.focus()}>
        <IconButton {...buttonProps} />
      </RowMenuList>
    </Suspense>
  );
}
