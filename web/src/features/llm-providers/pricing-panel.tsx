import type { ModelPricing } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Failure } from '../../components/ui/failure.tsx';
import { SkeletonLines } from '../../components/ui/skeleton.tsx';
import { describeFailure } from '../../lib/describe-failure.ts';
import { formatRate } from '../../lib/format-money.ts';
import { formatTokens } from '../../lib/format-number.ts';
import styles from './pricing-panel.module.css';
import { pricingQuery } from './queries.ts';

interface PricingPanelProps {
  /** Vendor key; empty if none is selected. */
  vendor: string;
  /** Models that may be enabled. */
  models: readonly string[];
}

/** Price of each model including markup. */
export function PricingPanel({ vendor, models }: PricingPanelProps) {
  const answer = useQuery({ ...pricingQuery(vendor), enabled: vendor !== '' });
  const { data } = answer;
  const failure = describeFailure(answer, 'Failed to load pricing');
  const listed = models.filter((model) => data?.models[model]);
  return (
    <section className={styles.panel} aria-label="Pricing">
      <h3 className={styles.title}>Pricing</h3>
      {vendor === '' && <p className="quiet">Select a provider type to see what its models cost.</p>}
      {vendor !== '' && failure && <Failure {...failure} />}
      {vendor !== '' && !data && !failure && <SkeletonLines count={3} />}
      {vendor !== '' && data && (
        <>
          <p className="quiet">
            Provider prices with a markup of {data.markup_percentage}%, for 1,000 tokens.
          </p>
          {listed.length === 0 ? (
            <p className="quiet">Load the models to see their prices.</p>
          ) : (
            <PriceTable models={listed} pricing={data.models} markup={data.markup_percentage} />
          )}
        </>
      )}
    </section>
  );
}

interface PriceTableProps {
  models: readonly string[];
  pricing: Readonly<Record<string, ModelPricing | null>>;
  markup: number;
}

function PriceTable({ models, pricing, markup }: PriceTableProps) {
  const charge = (rate: number) => formatRate(rate * (1 + markup / 100));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <section className={styles.scroll} tabIndex={0} aria-label="Prices">
      <table className={`num ${styles.table}`}>
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col">Input</th>
            <th scope="col">Output</th>
            <th scope="col">Max tokens</th>
          </tr>
        </thead>
        <tbody>
          {models.map((model) => {
            const price = pricing[model];
            if (!price) return null;
            return (
              <tr key={model}>
                <th scope="row">
                  <code>{model}</code>
                </th>
                <td>{charge(price.input_per_1k)}</td>
                <td>{charge(price.output_per_1k)}</td>
                <td>{price.max_tokens === null ? '–' : formatTokens(price.max_tokens)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
