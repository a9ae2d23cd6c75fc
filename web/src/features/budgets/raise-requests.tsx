import { Button } from '@mantine/core';
import type { BudgetRaiseRequest } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { TextField } from '#components/forms/text-field.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { PanelList } from '#components/ui/panel-list.tsx';
import { SegmentedSwitch } from '#components/ui/segmented-switch.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { Time } from '#components/ui/time.tsx';
import { showError, showSuccess } from '#components/ui/toasts.tsx';
import { describeFailure, messageOf } from '#lib/describe-failure.ts';
import { formatWithMeasure } from '#lib/format-money.ts';
import { formatShortTime } from '#lib/format-time.ts';
import {
  describeLimit,
  formatAmount,
  raiseRequestsQuery,
  requestMarks,
  subjectOf,
  useDecideRaiseRequest,
} from './queries.ts';
import styles from './raise-requests.module.css';

const filters = [
  { value: 'open', label: 'Open' },
  { value: 'approved', label: 'Approved' },
  { value: 'declined', label: 'Declined' },
  { value: 'all', label: 'All' },
] as const;

/** Users' requests for a higher limit, filtered by status. */
export function RaiseRequestList() {
  const [status, setStatus] = useState<(typeof filters)[number]['value']>('open');
  const answer = useQuery(raiseRequestsQuery(status === 'all' ? undefined : status));
  const failure = describeFailure(answer, 'Failed to load the requests');
  const { data: requests } = answer;
  return (
    <div className={styles.requests}>
      <SegmentedSwitch label="Requests by status" options={filters} value={status} onChange={setStatus} />
      {failure && <Failure {...failure} />}
      {!requests && !failure && <SkeletonLines count={4} />}
      {requests && (
        <div className={styles.list}>
          {requests.length === 0 ? (
            <EmptyState
              title={
                status === 'open' ? 'No open requests for a higher limit' : 'No requests with this status'
              }
            >
              Users can request a higher limit under Usage.
            </EmptyState>
          ) : (
            <PanelList label="Requests for a higher limit" items={requests} noun="requests">
              {(request) => <RequestCard key={request.id} request={request} />}
            </PanelList>
          )}
        </div>
      )}
    </div>
  );
}

function RequestCard({ request }: { request: BudgetRaiseRequest }) {
  const {
    budget,
    created_at,
    decided_at,
    limit,
    note,
    reason,
    status,
    until,
    user_email,
    user_id,
    user_name,
  } = request;
  const { kind, word } = requestMarks[status];
  return (
    <li className={styles.request} aria-label={`Request of ${user_name}`}>
      <div className={styles.head}>
        <div className={styles.person}>
          <Link to="/admin/users" search={{ open: String(user_id) }}>
            {user_name}
          </Link>
          <span className="quiet">{user_email}</span>
        </div>
        <span>
          <StatusMark kind={kind}>{word}</StatusMark> <Time value={created_at} />
        </span>
      </div>
      <p className="num">
        {subjectOf(budget)}: <strong>{formatWithMeasure(budget, limit)}</strong> instead of{' '}
        {describeLimit(budget)} until {formatShortTime(until)}. {formatAmount(budget, budget.spent)} used so
        far.
      </p>
      <blockquote className={styles.reason}>{reason}</blockquote>
      {status === 'open' ? (
        <RequestDecision request={request} />
      ) : (
        <p className="quiet">
          {word} {decided_at !== null && <Time value={decided_at} />}
          {note !== null && `: ${note}`}
        </p>
      )}
    </li>
  );
}

function RequestDecision({ request: { budget, id, limit, user_name } }: { request: BudgetRaiseRequest }) {
  const [note, setNote] = useState('');
  const { mutate, isPending } = useDecideRaiseRequest();
  const decide = (decision: 'approve' | 'decline', told: string) => {
    if (isPending) return;
    mutate(
      { params: { id }, body: { decision, note } },
      {
        onSuccess: () => showSuccess(told),
        onError: (error) => showError(messageOf(error, 'The decision could not be saved')),
      },
    );
  };
  return (
    <div className={styles.decision}>
      <TextField
        className={styles.note}
        label="Note (optional)"
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <div className={styles.actions}>
        <Button
          onClick={() => decide('approve', `The budget was raised to ${formatWithMeasure(budget, limit)}`)}
          aria-disabled={isPending}
        >
          Approve
        </Button>
        <Button
          variant="default"
          onClick={() => decide('decline', `The request from ${user_name} was declined`)}
          aria-disabled={isPending}
        >
          Decline
        </Button>
      </div>
    </div>
  );
}
