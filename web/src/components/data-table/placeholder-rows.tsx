import type { ReactNode } from 'react';
import { Skeleton } from '../ui/skeleton.tsx';
import type { ListedColumn } from './column.ts';
import styles from './data-table.module.css';

const skeletonWidths = ['72%', '58%', '84%', '63%', '76%', '55%', '68%', '80%', '60%', '71%'];

interface LoadingRowsProps<Row> {
  text: string;
  columns: readonly ListedColumn<Row>[];
  columnCount: number;
  /** Columns of controls before the others. */
  controlCount: number;
}

/** The shape of the list to come, with the word for it. */
export function LoadingRows<Row>({ text, columns, columnCount, controlCount }: LoadingRowsProps<Row>) {
  const controlsAfter = columnCount - controlCount - columns.length;
  return (
    <tbody>
      <tr>
        <td colSpan={columnCount} className={styles.loading}>
          {text}
        </td>
      </tr>
      {skeletonWidths.map((width) => (
        <tr key={width}>
          {controlCount > 0 && <td colSpan={controlCount} />}
          {columns.map(({ id, align }) => (
            <td key={id} className={align && styles[align]}>
              <Skeleton width={width} height="0.625rem" />
            </td>
          ))}
          {controlsAfter > 0 && <td colSpan={controlsAfter} />}
        </tr>
      ))}
    </tbody>
  );
}

interface EmptyRowProps {
  text: string;
  /** The one next step. */
  action: ReactNode;
  columnCount: number;
}

export function EmptyRow({ text, action, columnCount }: EmptyRowProps) {
  return (
    <tbody>
      <tr>
        <td colSpan={columnCount} className={styles.empty}>
          <p>{text}</p>
          {action}
        </td>
      </tr>
    </tbody>
  );
}
