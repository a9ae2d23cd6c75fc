import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { readActingTenant } from '../../lib/acting-tenant.ts';
import { messageOf } from '../../lib/message-of.ts';
import styles from './panels.module.css';
import { useTryRequest } from './queries.ts';

/** Sends the example from the page, without a key or a shell. */
export function TryRequest({ model }: { model: string }) {
  const { data, error, isPending, mutate } = useTryRequest(model);
  if (readActingTenant() !== null) return null;
  return (
    <div className={styles.attempt}>
      <div className={styles.send}>
        <Button variant="default" aria-disabled={isPending} onClick={() => isPending || mutate()}>
          {isPending ? 'Waiting for the answer...' : 'Send it now'}
        </Button>
        <span className="quiet">As yourself, without a key. It counts and costs like any other request.</span>
      </div>
      <div role="status">
        {data && (
          <>
            <StatusMark kind="ok">
              {model} answered in {data.seconds.toFixed(2)} s.{' '}
              <Link to="/admin/logs" search={{ open: data.requestId }}>
                Open the request
              </Link>
            </StatusMark>
            <p className={styles.answer}>{data.text || 'The answer has no text.'}</p>
          </>
        )}
        {error && <StatusMark kind="bad">{messageOf(error, 'The gate cannot be reached.')}</StatusMark>}
      </div>
    </div>
  );
}
