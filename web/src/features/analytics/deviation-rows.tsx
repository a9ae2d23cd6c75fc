import type { DeviationTimeline } from '@sluice/contract';
import { Link } from '@tanstack/react-router';
import { Flag } from 'lucide-react';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { nameDeviationEvent } from '../../lib/deviation-events.ts';
import { formatAxisDay } from '../../lib/format-day.ts';
import { formatQuantity } from '../../lib/format-number.ts';
import { formatScore, scoreKind } from '../../lib/score-level.ts';
import styles from './deviation-rows.module.css';
import type { Scope } from './queries.ts';
import { RowsLink, rowsOf } from './rows-link.tsx';

interface DeviationRowsProps {
  scope: Scope;
  timeline: DeviationTimeline;
}

/** Table below the chart: mean and request count per user, and a link for each event. */
export function DeviationRows({ scope, timeline: { series, events } }: DeviationRowsProps) {
  return (
    <div className={styles.rows}>
      <ul className={`num ${styles.list}`} aria-label="Mean scores">
        {series.map((entity) => (
          <li key={entity.entity_id}>
            <StatusMark kind={scoreKind(entity.average_deviation_score)}>
              {formatScore(entity.average_deviation_score)} <EntityName entity={entity} />
            </StatusMark>{' '}
            <RowsLink
              place={rowsOf(
                scope,
                entity.entity_type === 'team' ? { team: entity.entity_id } : { user: entity.entity_id },
              )}
            >
              {formatQuantity(entity.requests, 'request')}
            </RowsLink>
          </li>
        ))}
      </ul>
      {events.length > 0 && (
        <ul className={`num ${styles.list}`} aria-label="Events">
          {events.slice(-eventsShown).map((event) => (
            <li key={`${event.kind} ${event.id}`}>
              <Flag size={12} strokeWidth={1.5} aria-hidden /> {formatAxisDay(event.date)}{' '}
              {event.kind === 'policy_changed' ? (
                <Link to="/admin/audit-log" search={{ open: event.id }}>
                  {nameDeviationEvent(event)}
                </Link>
              ) : (
                <Link to="/admin/users" search={{ tab: 'appeals', appeals: 'all' }}>
                  {nameDeviationEvent(event)}
                </Link>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const eventsShown = 6;

function EntityName({ entity }: { entity: DeviationTimeline['series'][number] }) {
  if (entity.entity_type === 'team') return entity.entity_name;
  return (
    <Link to="/admin/users" search={{ open: entity.entity_id }}>
      {entity.entity_name}
    </Link>
  );
}
