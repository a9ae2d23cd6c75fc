import type { Today } from '@sluice/contract';
import { Link } from '@tanstack/react-router';
import { StatStrip } from '../../components/ui/stat-strip.tsx';
import { formatUsdExact } from '../../lib/format-money.ts';
import { formatCount } from '../../lib/format-number.ts';
import { LogsCount } from './screen.tsx';

const labels = ['Requests', 'Refused', 'Near a limit', 'Open appeals', 'Spend'];

export function TodayFigures({ today }: { today: Today | undefined }) {
  const stats = today ? listFigures(today) : labels.map((label) => ({ label, value: undefined }));
  return <StatStrip label="Figures of today" stats={stats} />;
}

function listFigures(today: Today) {
  const { date } = today;
  const refused = today.refused_requests.reduce((sum, { count }) => sum + count, 0);
  const values = [
    <LogsCount key="requests" day={date} count={today.total_requests} part={{ status: 'admitted' }} />,
    <LogsCount key="refused" day={date} count={refused} part={{ status: 'refused' }} />,
    <Link key="limits" to="/admin/users">
      {formatCount(today.users_near_limit)}
    </Link>,
    <Link key="appeals" to="/admin/users" search={{ tab: 'appeals' }}>
      {formatCount(today.open_appeals)}
    </Link>,
    <Link key="spend" to="/admin/analytics" search={{ start: date, end: date }}>
      {formatUsdExact(today.total_spend, 2)}
    </Link>,
  ];
  const notes = [`${formatCount(today.failed_requests)} failed`, null, 'people at 80% or more', null, null];
  return labels.map((label, place) => ({ label, value: values[place], note: notes[place] ?? undefined }));
}
