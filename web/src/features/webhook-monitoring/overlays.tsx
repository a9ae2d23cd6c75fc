import type { WebhookEvent } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { DetailsDrawer } from '#components/data-table/details-drawer.tsx';
import type { DataTableModel } from '#components/data-table/use-data-table.ts';
import { Fact, FactList } from '#components/ui/fact-list.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { Time } from '#components/ui/time.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import { formatSignedUsd } from '#lib/format-money.ts';
import { localizeInstants } from '#lib/format-time.ts';
import { EventStatus } from './columns.tsx';
import styles from './overlays.module.css';
import { webhookEventQuery } from './queries.ts';

/** Shows the content, the processing attempts and the effect on credits. */
export function EventDrawer({ model, id }: { model: DataTableModel<WebhookEvent>; id: number }) {
  const answer = useQuery(webhookEventQuery(id));
  const failure = describeFailure(answer, 'The event could not be loaded');
  const { data: event } = answer;
  return (
    <DetailsDrawer model={model} label="Event details" heading={event?.event_type ?? 'Event'}>
      {failure && <Failure {...failure} />}
      {!failure && !event && <SkeletonLines count={6} />}
      {event && (
        <>
          <FactList>
            <Fact name="Event ID">
              <code>{event.event_id}</code>
            </Fact>
            <Fact name="Status">
              <EventStatus status={event.status} />
            </Fact>
          </FactList>
          <h3>Effect on credits</h3>
          {event.transactions.length === 0 && <p className="quiet">None.</p>}
          <ul className={`num ${styles.list}`}>
            {event.transactions.map((transaction) => (
              <li key={transaction.id}>
                {formatSignedUsd(transaction.amount)} {transaction.transaction_type} of tenant{' '}
                {transaction.tenant_id}: {transaction.description}
              </li>
            ))}
          </ul>
          <h3>Attempts</h3>
          {event.attempts.length === 0 && <p className="quiet">None yet.</p>}
          <ol className={styles.list}>
            {event.attempts.map(({ at, error }) => (
              <li key={at}>
                <Time value={at} />{' '}
                <StatusMark kind={error === null ? 'ok' : 'bad'}>
                  {localizeInstants(error ?? 'Processed')}
                </StatusMark>
              </li>
            ))}
          </ol>
          <h3>Payload</h3>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
          <section className={styles.payload} tabIndex={0} aria-label="Payload">
            <pre>{JSON.stringify(event.payload, null, 2)}</pre>
          </section>
        </>
      )}
    </DetailsDrawer>
  );
}
