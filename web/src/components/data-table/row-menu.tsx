import { Ellipsis } from 'lucide-react';
import { useRef, useState } from 'react';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import type { RowAction } from './row-action.ts';

const RowMenuList = lazyPart(() => import('./row-menu-list.tsx'), 'RowMenuList');

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
    <RowMenuList
      fallback={<IconButton {...buttonProps} />}
      items={items}
      onClose={() => button.current?.focus()}
    >
      <IconButton {...buttonProps} />
    </RowMenuList>
  );
}
