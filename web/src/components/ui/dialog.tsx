import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './dialog.module.css';
import { DialogLayerProvider, floatMotion, useDialogClose, useDialogLayer } from './dialog-layer.ts';

const widths = { sm: '26rem', md: '32.5rem', lg: '45rem', xl: '60rem' };

interface DialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** 416, 520, 720 or 960 pixels. Dialogs fill the screen on phones. */
  size?: keyof typeof widths;
  children: ReactNode;
}

export function Dialog({ isOpen, onClose, title, size = 'md', children }: DialogProps) {
  const layer = useDialogLayer(isOpen, onClose);
  return (
    <Modal.Root
      opened={isOpen}
      onClose={layer.requestClose}
      closeOnEscape={false}
      returnFocus={false}
      transitionProps={floatMotion}
      size={widths[size]}
      classNames={{
        inner: styles.inner,
        content: styles.content,
        header: styles.header,
        title: styles.title,
        body: styles.body,
      }}
    >
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Header>
          <Modal.Title component="h2">{title}</Modal.Title>
          <Modal.CloseButton aria-label="Close" />
        </Modal.Header>
        <Modal.Body>
          <DialogLayerProvider value={layer}>{children}</DialogLayerProvider>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** In a dialog or drawer, the footer is always visible. On a page, it is at the end of the form. */
export function DialogFooter({ children }: { children: ReactNode }) {
  const isOnPage = useDialogClose() === undefined;
  return <div className={isOnPage ? styles.buttons : styles.footer}>{children}</div>;
}
