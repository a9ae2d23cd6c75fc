import { useQuery } from '@tanstack/react-query';
import { Notice } from '../../components/ui/notice.tsx';
import { formatUsdExact } from '../../lib/format-money.ts';
import { balanceQuery } from './queries.ts';

/** Explains whose key a service-managed provider uses, and who pays. */
export function CreditsNotice() {
  const { data } = useQuery(balanceQuery);
  return (
    <Notice
      kind="warn"
      title="This provider uses Sluice's own API keys, and users are charged credits for what they use"
    >
      {data && (
        <span className="num">
          Your tenant has {formatUsdExact(data.current_balance, 4)} of credits.
          {!data.service_spending_enabled && ' Spending them is switched off, so requests will be refused.'}
        </span>
      )}
    </Notice>
  );
}
