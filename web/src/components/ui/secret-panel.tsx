import { Button } from '@mantine/core';
import { Download } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { downloadFile } from '#lib/download-file.ts';
import { useConfirm } from './confirm.tsx';
import { CopyButton } from './copy-button.tsx';
import { useCloseGuard } from './dialog-layer.ts';
import { Notice } from './notice.tsx';
import styles from './secret-panel.module.css';

const masked = '•'.repeat(24);

interface SecretPanelProps {
  secret: string;
  /** Name for screen readers and in the file, for example `API key` or `SLUICE_API_KEY`. */
  label: string;
  variable: string;
  warning: ReactNode;
  onStored: () => void;
  onCopied?: (() => void) | undefined;
}

/**
 * The secret cannot be displayed again. Closing the surrounding dialog requires confirmation unless the secret was
 * copied or saved.
 */
export function SecretPanel({ secret, label, variable, warning, onStored, onCopied }: SecretPanelProps) {
  const [isKept, setKept] = useState(false);
  const confirm = useConfirm();
  useCloseGuard(
    async () =>
      isKept ||
      confirm({
        title: `Close without storing the ${label}?`,
        message: warning,
        confirmLabel: 'Close',
        cancelLabel: 'Keep it open',
        isDanger: true,
      }),
  );
  const saveEnvironmentFile = () => {
    downloadFile('sluice.env', new Blob([`${variable}=${secret}\n`], { type: 'text/plain' }));
    setKept(true);
  };
  const noteCopy = () => {
    setKept(true);
    onCopied?.();
  };

  return (
    <div className={styles.panel}>
      <Notice kind="warn" title={warning} />
      <ShownSecret secret={secret} label={label} />
      <div className={styles.actions}>
        <CopyButton text={secret} label={`Copy ${label}`} onCopied={noteCopy} />
        <Button
          variant="default"
          leftSection={<Download size={14} strokeWidth={1.5} aria-hidden />}
          onClick={saveEnvironmentFile}
        >
          Download .env
        </Button>
        <Button className={styles.stored} onClick={onStored}>
          I stored it
        </Button>
      </div>
    </div>
  );
}

function ShownSecret({ secret, label }: Pick<SecretPanelProps, 'secret' | 'label'>) {
  const [isShown, setShown] = useState(true);
  return (
    <div className={styles.secret}>
      {isShown ? <code>{secret}</code> : <MaskedSecret secret={secret} />}
      <Button
        variant="subtle"
        size="compact-sm"
        aria-label={`${isShown ? 'Hide' : 'Show'} ${label}`}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? 'Hide' : 'Show'}
      </Button>
    </div>
  );
}

function MaskedSecret({ secret }: { secret: string }) {
  return (
    <code>
      <span aria-hidden="true">{masked}</span>
      <span className="visually-hidden">Hidden, ends in </span>
      {secret.slice(-4)}
    </code>
  );
}
