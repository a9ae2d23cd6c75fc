import { Drawer } from '@mantine/core';
import { Mark } from '../ui/mark.tsx';
import styles from './navigation-drawer.module.css';
import { Sidebar } from './sidebar.tsx';
import type { BuiltScreen } from './use-screens.ts';

interface NavigationDrawerProps {
  screens: readonly BuiltScreen[];
  isOpen: boolean;
  onClose: () => void;
}

export function NavigationDrawer({ screens, isOpen, onClose }: NavigationDrawerProps) {
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      title={<Mark />}
      returnFocus={false}
      size="17.5rem"
      classNames={{ content: styles.content, header: styles.header, body: styles.body }}
      closeButtonProps={{ 'aria-label': 'Close navigation' }}
      transitionProps={{ duration: 120, exitDuration: 80 }}
    >
      <Sidebar screens={screens} />
    </Drawer>
  );
}
