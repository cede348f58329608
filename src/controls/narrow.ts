import { css } from '@emotion/css';

/** In a narrow pane, such as one half of a split Explore, controls shrink or wrap instead of being cut off. */
export const narrow = css({
  minWidth: 0,
  maxWidth: '100%',
  '& div': { maxWidth: '100%' },
  '& [role="radiogroup"]': { flexWrap: 'wrap', height: 'auto' },
  // Grafana's MultiCombobox wraps the selected values only while it is open.
  '& span:has(> input)': { flexWrap: 'wrap' },
});
