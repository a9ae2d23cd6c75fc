import type { LucideIcon } from 'lucide-react';

/** Something that can be done to a row, from its end. */
export interface RowAction<Row> {
  name: string;
  icon: LucideIcon;
  run: (row: Row) => void;
  /** Stands on the row itself as an icon; the others are in the menu behind it. */
  isInline?: boolean;
  /** Stands last and red. */
  isDangerous?: boolean;
  isHidden?: (row: Row) => boolean;
  /** Why it cannot be done to this row now; `null` when it can. */
  obstacle?: (row: Row) => string | null;
}
