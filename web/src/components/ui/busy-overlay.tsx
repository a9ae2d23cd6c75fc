import { Loader } from '@mantine/core';
import { useEffect, useRef } from 'react';
import styles from './busy-overlay.module.css';

/** Blocks all input while `text` is set, for example to `Blocking user...`. */
export function BusyOverlay({ text }: { text: string | null }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isBusy = text !== null;

  useEffect(() => {
    if (isBusy) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isBusy]);

  return (
    <dialog
      ref={dialog}
      className={styles.overlay}
      aria-label="Please wait"
      onCancel={(event) => event.preventDefault()}
    >
      <div className={styles.text} role="status">
        {isBusy && <Loader size="sm" aria-hidden />}
        {text}
      </div>
    </dialog>
  );
}
