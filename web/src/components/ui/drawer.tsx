import { Drawer as MantineDrawer } from '@mantine/core';
import type { ReactNode } from 'react';
import dialogStyles from './dialog.module.css';
import { DialogLayerProvider, floatMotion, useDialogLayer } from './dialog-layer.ts';
import styles from './drawer.module.css';

const widths = { md: '32.5rem', lg: '45rem' };

interface DrawerProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** 520 or 720 pixels. Drawers fill the width on phones. */
  size?: keyof typeof widths;
  children: ReactNode;
}

/** Drawer with the details of an object, next to the page that lists the object. */
export function Drawer({ isOpen, onClose, title, size = 'md', children }: DrawerProps) {
  const layer = useDialogLayer(isOpen, onClose);
  return (
    <MantineDrawer.Root
      opened={isOpen}
      onClose={layer.requestClose}
      closeOnEscape={false}
      returnFocus={false}
      transitionProps={floatMotion}
      position="right"
      size={widths[size]}
      classNames={{
        content: styles.content,
        header: dialogStyles.header,
        title: dialogStyles.title,
        body: dialogStyles.body,
      }}
    >
      <MantineDrawer.Overlay />
      <MantineDrawer.Content>
        <MantineDrawer.Header>
          <MantineDrawer.Title component="h2">{title}</MantineDrawer.Title>
          <MantineDrawer.CloseButton aria-label="Close" />
        </MantineDrawer.Header>
        <MantineDrawer.Body>
          <DialogLayerProvider value={layer}>{children}</DialogLayerProvider>
        </MantineDrawer.Body>
      </MantineDrawer.Content>
    </MantineDrawer.Root>
  );
}
