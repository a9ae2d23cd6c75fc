import { NumberField } from '#components/forms/number-field.tsx';
import styles from './quota-fields.module.css';

const quotas = [
  { name: 'daily_quota', label: 'Daily quota', byDefault: '1000' },
  { name: 'monthly_quota', label: 'Monthly quota', byDefault: '30000' },
  { name: 'requests_per_hour', label: 'Requests per hour', byDefault: '100' },
] as const;

interface QuotaFieldsProps {
  bind: (name: (typeof quotas)[number]['name']) => object;
  /** Whether an empty field means the defaults of a new user, or unlimited. */
  emptyMeans: 'absent' | 'unlimited';
}

export function QuotaFields({ bind, emptyMeans }: QuotaFieldsProps) {
  return (
    <div>
      <div className={styles.quotas}>
        {quotas.map(({ name, label, byDefault }) => (
          <NumberField
            key={name}
            label={label}
            placeholder={emptyMeans === 'absent' ? byDefault : 'Unlimited'}
            emptyMeans={emptyMeans}
            {...bind(name)}
          />
        ))}
      </div>
      <p className={styles.hint}>
        {emptyMeans === 'absent'
          ? 'Daily and monthly quotas count tokens. An empty field uses the default.'
          : 'Daily and monthly quotas count tokens. Empty means unlimited, 0 allows nothing.'}
      </p>
    </div>
  );
}
