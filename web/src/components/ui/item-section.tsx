import { Button, type ButtonProps } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './item-section.module.css';

interface ItemSectionProps {
  title: string;
  note?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}

/** Lists objects of the drawer's subject, such as API keys. */
export function ItemSection({ title, note, action, children }: ItemSectionProps) {
  return (
    <section className={styles.section} aria-label={title}>
      <div className={styles.head}>
        <h3>{title}</h3>
        {note}
        {action}
      </div>
      {children}
    </section>
  );
}

export function ItemList({ children }: { children: ReactNode }) {
  return <ul className={styles.list}>{children}</ul>;
}

interface ItemProps {
  /** Name and marks of the object. */
  head: ReactNode;
  actions: ReactNode;
  children: ReactNode;
}

export function Item({ head, actions, children }: ItemProps) {
  return (
    <li className={styles.item}>
      <div className={styles.head}>{head}</div>
      {children}
      <div className={styles.actions}>{actions}</div>
    </li>
  );
}

interface ItemButtonProps extends ButtonProps {
  isDanger?: boolean;
  'aria-label': string;
  onClick: () => void;
}

export function ItemButton({ isDanger = false, ...props }: ItemButtonProps) {
  return <Button variant="default" className={isDanger ? styles.danger : ''} {...props} />;
}
