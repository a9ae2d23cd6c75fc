import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { showError, showSuccess } from '../../components/ui/toasts.tsx';
import { messageOf } from '../../lib/message-of.ts';
import { saveOwnData } from './queries.ts';
import styles from './screen.module.css';

/** Export of the user's own data. */
export function ExportPanel() {
  const { mutate, isPending } = useMutation({
    mutationFn: saveOwnData,
    onSuccess: (fileName) => showSuccess(`Saved as ${fileName}`),
    onError: (error) => showError(messageOf(error, 'Your data could not be exported')),
  });
  return (
    <section className={styles.panel} aria-label="My data">
      <h2>My Data</h2>
      <p className="quiet">
        One JSON file with your profile, preferences, keys (without their secrets), tasks, days of usage,
        requests and chats. Prompts and answers are in it as far as your organisation keeps them. The audit
        log notes the export.
      </p>
      <div className={styles.actions}>
        <Button variant="default" aria-disabled={isPending} onClick={() => !isPending && mutate()}>
          {isPending ? 'Exporting...' : 'Export my data'}
        </Button>
      </div>
    </section>
  );
}
