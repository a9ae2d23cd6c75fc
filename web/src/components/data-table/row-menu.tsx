import { Ellipsis } from 'lucide-react';
import { type ComponentProps, lazy, Suspense, useRef, useState } from 'react';
import type { RowAction } from './row-action.ts';
import styles from './row-actions.module.css';

const RowMenuList = lazy(() => import('./row-menu-list.tsx').then((file) => ({ default: file.RowMenuList })));

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
  const looks = { name, tabIndex, ref: button, 'aria-haspopup': 'menu' } as const;
  if (!isUsed) return <MenuButton {...looks} onClick={() => setUsed(true)} />;
  const items = actions.map(({ obstacle, run, ...action }) => ({
    ...action,
    obstacle: obstacle?.(row) ?? null,
    run: () => run(row),
  }));
  return (
    <Suspense fallback={<MenuButton {...looks} />}>
      <RowMenuList items={items} onClose={() => button.current?.focus()}>
        <MenuButton {...looks} />
      </RowMenuList>
    </Suspense>
  );
}

function MenuButton({ name, ...props }: ComponentProps<'button'> & { name: string }) {
  return (
    <button {...props} type="button" className={styles.action} aria-label={name}>
      <Ellipsis size={16} strokeWidth={1.5} aria-hidden />
    </button>
  );
}
