import type { FallbackDrill } from '@sluice/contract';
import { NameLine, SecondLine } from '#components/ui/lines.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { PanelList } from '#components/ui/panel-list.tsx';
import { StatStrip } from '#components/ui/stat-strip.tsx';
import { formatSignedUsd, formatUsd } from '#lib/format-money.ts';
import { formatCount, formatQuantity } from '#lib/format-number.ts';
import { formatShortTime } from '#lib/format-time.ts';
import styles from './fallback-drill-result.module.css';

interface FallbackDrillResultProps {
  drill: FallbackDrill;
  name: string;
}

/** Replays the last hour without an instance. */
export function FallbackDrillResult({ drill, name }: FallbackDrillResultProps) {
  const { requests, served, failed, waiting, failures } = drill;
  if (requests === 0) {
    return (
      <Notice kind="ok" title={`${name} had no requests in the last hour`}>
        There are no requests to simulate. Try again after it has been used.
      </Notice>
    );
  }
  return (
    <div className={styles.result}>
      <Verdict {...drill} />
      <StatStrip
        label="Requests of the last hour"
        stats={[
          { label: 'Answered', value: served },
          { label: 'Failed', value: failed },
          { label: 'Asked to retry', value: waiting },
          { label: 'Cost', ...describeCost(drill) },
        ]}
      />
      {failures.length > 0 && (
        <section aria-label="Why they would fail">
          <h3 className={styles.title}>Why they would fail</h3>
          <ul className={styles.reasons}>
            {failures.map((failure) => (
              <li key={failure.reason}>
                <span className="num">{formatQuantity(failure.requests, 'request')}</span>:{' '}
                {reasons[failure.reason]} <span className="quiet">{failure.models.join(', ')}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <Touched {...drill} />
      <p className="quiet">{describeScope(drill)}</p>
    </div>
  );
}

const reasons: Record<FallbackDrill['failures'][number]['reason'], string> = {
  no_fallback: 'no other active provider serves the model under this name.',
  blacklisted: 'the model is blacklisted at every other provider.',
  not_granted: 'other providers serve the model, but the user has no access to them.',
  cannot_carry: 'other providers serve the model, but do not support the request or cannot be paid for it.',
  in_maintenance: 'every other provider of the model is in maintenance.',
  in_cooldown: 'every other provider of the model is in cooldown; callers get a retry time.',
  sender_gone: 'the user is no longer active, so the request would be refused anyway.',
};

function Verdict({ requests, failed, waiting }: FallbackDrill) {
  const lost = failed + waiting;
  if (lost === 0)
    return <Notice kind="ok" title="Every request would have been answered by another provider" />;
  return (
    <Notice
      kind={failed > 0 ? 'bad' : 'warn'}
      title={`${formatCount(lost)} of ${formatQuantity(requests, 'request')} would not have been answered`}
    />
  );
}

function describeCost({ served, cost: { before, after, unpriced } }: FallbackDrill) {
  if (served === unpriced) return { value: '–', note: 'No price is known' };
  const note = `${formatUsd(after)} instead of ${formatUsd(before)}`;
  return { value: formatSignedUsd(after - before), note };
}

function describeScope({ requests, requests_in_all, since, until, served, cost }: FallbackDrill): string {
  const sampled =
    requests < requests_in_all
      ? `The latest ${formatCount(requests)} of ${formatCount(requests_in_all)} `
      : 'All ';
  const unpriced =
    served > 0 && cost.unpriced > 0
      ? ` The cost leaves out ${formatQuantity(cost.unpriced, 'request')} whose price is not known.`
      : '';
  return `${sampled}requests from ${formatShortTime(since)} to ${formatShortTime(until)} were simulated with the gateway's rules and the current grants, fallback order, maintenance and cooldowns. No request was sent. Request bodies are not checked, for example for fields that another protocol does not support.${unpriced}`;
}

function Touched({ models, people, models_in_all, people_in_all }: FallbackDrill) {
  return (
    <div className={styles.touched}>
      <section>
        <h3 className={styles.title}>
          Models <span className="num quiet">({models_in_all})</span>
        </h3>
        <PanelList label="Models" items={models} noun="models">
          {({ model, fallbacks, ...counts }) => (
            <li key={model}>
              <NameLine>{model}</NameLine>
              <SecondLine>{describeCounts(counts)}</SecondLine>
              {fallbacks.length > 0 && <SecondLine>Answered by {fallbacks.join(', ')}</SecondLine>}
            </li>
          )}
        </PanelList>
      </section>
      <section>
        <h3 className={styles.title}>
          Users <span className="num quiet">({people_in_all})</span>
        </h3>
        <PanelList label="Users" items={people} noun="users">
          {({ user_id, user_name, ...counts }) => (
            <li key={user_id}>
              <NameLine>{user_name}</NameLine>
              <SecondLine>{describeCounts(counts)}</SecondLine>
            </li>
          )}
        </PanelList>
      </section>
    </div>
  );
}

function describeCounts({
  requests,
  failed,
  waiting,
}: {
  requests: number;
  failed: number;
  waiting: number;
}) {
  const lost = [
    failed > 0 ? `${formatCount(failed)} failed` : '',
    waiting > 0 ? `${formatCount(waiting)} asked to retry` : '',
  ].filter(Boolean);
  return [formatQuantity(requests, 'request'), ...lost].join(', ');
}
