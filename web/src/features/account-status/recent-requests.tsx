import { Button } from '@mantine/core';
import type { LogEntry } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { IntentBadge } from '#components/ui/badge.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { ReceiptList } from '#components/ui/receipt-list.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { describeRequestStatus, requestStatusMarks, StatusMark } from '#components/ui/status-mark.tsx';
import { Time } from '#components/ui/time.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import { formatUsd } from '#lib/format-money.ts';
import { formatScore, formatSigned } from '#lib/format-number.ts';
import { localizeInstants } from '#lib/format-time.ts';
import styles from './active-tasks.module.css';
import { recentRequestsQuery } from './queries.ts';
import { adviceOn } from './refusal-guide.ts';

const shownAtFirst = 5;
const shownMax = 50;

export function RecentRequests() {
  const [limit, setLimit] = useState(shownAtFirst);
  const answer = useQuery(recentRequestsQuery(limit));
  const failure = describeFailure(answer, 'Your last requests could not be loaded');
  const { data: requests } = answer;
  return (
    <section
      className={styles.panel}
      id="last-requests"
      aria-label="Last requests"
      aria-busy={answer.isPending}
    >
      <h2>Last requests</h2>
      {failure && <Failure {...failure} />}
      {!failure && !requests && <SkeletonLines count={3} />}
      {requests?.length === 0 && (
        <p className="quiet">
          You have sent no requests yet. <Link to="/dashboard/api-keys">Copy an example request</Link>
        </p>
      )}
      <ul className={styles.list}>
        {requests?.map((request, place) => (
          <li key={request.id}>
            <OwnRequest request={request} isNewest={place === 0} />
          </li>
        ))}
      </ul>
      {limit === shownAtFirst && requests?.length === limit && (
        <Button variant="subtle" onClick={() => setLimit(shownMax)}>
          Show the last {shownMax} requests
        </Button>
      )}
    </section>
  );
}

interface OwnRequestProps {
  request: LogEntry;
  /** Whether this is the newest request, whose reasons are initially open. */
  isNewest: boolean;
}

function OwnRequest({ request, isNewest }: OwnRequestProps) {
  const { cost, error_code, error_message, intent_classification: intent, model, prompt, status } = request;
  return (
    <>
      <StatusMark kind={requestStatusMarks[status].kind}>{describeRequestStatus(request)}</StatusMark>
      {prompt !== null && (
        <p className={styles.prompt} title={prompt}>
          {prompt}
        </p>
      )}
      <p className="quiet">
        {model ?? 'no model'} · {cost !== null && <span className="num">{formatUsd(cost)} · </span>}
        <Time value={request.timestamp} /> {intent !== null && <IntentBadge intent={intent} />}
      </p>
      <ScoreChange request={request} isNewest={isNewest} />
      {error_message !== null && <p>{localizeInstants(error_message)}</p>}
      {status === 'refused' && <Advice code={error_code} />}
    </>
  );
}

/** Change of the user's deviation score with its reasons, from 0 to 1. Only the score card uses another scale. */
function ScoreChange({ request, isNewest }: OwnRequestProps) {
  if (request.user_score_before === null || request.user_score_after === null) return null;
  const [before, after] = [
    formatScore(request.user_score_before, 3),
    formatScore(request.user_score_after, 3),
  ];
  if (before === after) return null;
  // Subtracts the displayed scores, so that the three displayed numbers add up.
  const delta = Number(after) - Number(before);
  const change = (
    <>
      Deviation score (0 to 1): {before} to {after},{' '}
      <span className={delta > 0 ? styles.rising : undefined}>{formatSigned(delta, 3)}</span>
    </>
  );
  const receipts = request.deviation_receipts ?? [];
  if (receipts.length === 0) return <p className="quiet">{change}</p>;
  return (
    <details className={styles.reasons} open={isNewest}>
      <summary className="quiet">{change}</summary>
      <ReceiptList receipts={receipts} total={delta} />
    </details>
  );
}

function Advice({ code }: { code: string | null }) {
  const advice = adviceOn(code);
  return (
    advice && (
      <p className="quiet">
        Decided by {advice.decidedBy}. {advice.next}
      </p>
    )
  );
}
