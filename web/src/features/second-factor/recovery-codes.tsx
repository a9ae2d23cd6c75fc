import { Button } from '@mantine/core';
import { Download, Printer } from 'lucide-react';
import { useState } from 'react';
import { useConfirm } from '#components/ui/confirm.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { useCloseGuard } from '#components/ui/dialog-layer.ts';
import { FocusedSection } from '#components/ui/focused-section.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { downloadFile } from '#lib/download-file.ts';
import styles from './recovery-codes.module.css';

/** Requires confirmation to close the dialog until the returned setter is called with `true`. */
function useStoredGuard() {
  const [isKept, setKept] = useState(false);
  const confirm = useConfirm();
  useCloseGuard(
    async () =>
      isKept ||
      confirm({
        title: 'Close without storing the recovery codes?',
        message:
          'They are shown only once. If you lose your device and have no recovery codes, only an administrator can restore your access.',
        confirmLabel: 'Close',
        cancelLabel: 'Keep them open',
        isDanger: true,
      }),
  );
  return setKept;
}

interface RecoveryCodesProps {
  codes: readonly string[];
  onStored: () => void;
}

/** The codes are shown only once. Closing the dialog requires confirmation unless they were stored. */
export function RecoveryCodes({ codes, onStored }: RecoveryCodesProps) {
  const setKept = useStoredGuard();
  const keep = (work: () => void) => () => {
    work();
    setKept(true);
  };
  const text = `Recovery codes for Sluice at ${window.location.host}\nEach code works once.\n\n${codes.join('\n')}\n`;
  const save = () => downloadFile('sluice-recovery-codes.txt', new Blob([text], { type: 'text/plain' }));
  return (
    <FocusedSection label="Recovery codes">
      <Notice
        kind="warn"
        title="Store these codes now. They are shown only once. Each code lets you sign in once without your device."
      />
      <div className={styles.sheet}>
        <p className={styles.heading}>Recovery codes for Sluice at {window.location.host}</p>
        <ol className={styles.codes} aria-label="Recovery codes">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ol>
      </div>
      <div className={styles.actions}>
        <CopyButton text={codes.join('\n')} label="Copy recovery codes" onCopied={() => setKept(true)} />
        <Button
          variant="default"
          leftSection={<Download size={14} strokeWidth={1.5} aria-hidden />}
          onClick={keep(save)}
        >
          Download
        </Button>
        <Button
          variant="default"
          leftSection={<Printer size={14} strokeWidth={1.5} aria-hidden />}
          onClick={keep(() => window.print())}
        >
          Print
        </Button>
        <Button className={styles.stored} onClick={onStored}>
          I stored them
        </Button>
      </div>
    </FocusedSection>
  );
}
