import { Drawer } from '@mantine/core';
import { Mark } from '../ui/mark.tsx';
import styles from './navigation-drawer.module.css';
import { type NavigationItem, Sidebar } from './sidebar.tsx';

interface NavigationDrawerProps {
  items: readonly NavigationItem[];
  isOpen: boolean;
  onClose: () => void;
}

/** The sidebar of small screens. */
export function NavigationDrawer({ items, isOpen, onClose }: NavigationDrawerProps) {
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      title={<Mark />}
      size="17.5rem"
      classNames={{ content: styles.content, header: styles.header, body: styles.body }}
      closeButtonProps={{ 'aria-label': 'Close navigation' }}
      transitionProps={{ duration: 120, exitDuration: 80 }}
    >
      <Sidebar items={items} />
    </Drawer>
  );
}
