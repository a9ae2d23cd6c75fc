import { useEffect, useRef } from 'react';
import { useConfirm } from '../../components/ui/confirm.tsx';
import { useCloseGuard } from '../../components/ui/dialog-layer.ts';
import { SecretPanel } from '../../components/ui/secret-panel.tsx';
import { showSuccess } from '../../components/ui/toasts.tsx';
import styles from './api-key-panel.module.css';

/** The secret of a key that was just made; closing asks, since nothing brings it back. */
export function NewKey({ secret, onStored }: { secret: string; onStored: () => void }) {
  const confirm = useConfirm();
  useCloseGuard(() => confirm(question));

  // The button that made the key is gone, and the focus with it.
  const section = useRef<HTMLElement>(null);
  useEffect(() => section.current?.focus(), []);

  return (
    <section ref={section} className={styles.newKey} aria-label="New API key" tabIndex={-1}>
      <SecretPanel
        secret={secret}
        label="API key"
        variable="SLUICE_API_KEY"
        warning="This key is shown only once. Copy it now and keep it in a safe place."
        onStored={onStored}
        onCopied={() => showSuccess('API key copied to clipboard!')}
      />
    </section>
  );
}

const question = {
  title: 'Close without the key?',
  message: 'The key cannot be shown again. Whoever needs it then needs a new one.',
  confirmLabel: 'Close',
  cancelLabel: 'Keep open',
  isDanger: true,
};
