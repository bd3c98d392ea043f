import { create } from '../core/dom.ts';

/** Elements of class `ariaLabel` show their `aria-label` when the pointer rests on them. */
export function initTooltips(): void {
  const tip = create('div', 'tooltip fn__none', { id: 'tooltip' });
  document.body.append(tip);
  document.addEventListener('mouseover', (event) => {
    const target = (event.target as Element).closest?.('.ariaLabel');
    const label = target?.getAttribute('aria-label');
    tip.classList.toggle('fn__none', !label);
    if (!target || !label) return;
    tip.textContent = label;
    const at = target.getBoundingClientRect();
    const size = tip.getBoundingClientRect();
    const below = at.bottom + size.height + 8 < innerHeight;
    tip.style.top = `${below ? at.bottom + 6 : at.top - size.height - 6}px`;
    tip.style.left = `${Math.max(6, Math.min(at.left + at.width / 2 - size.width / 2, innerWidth - size.width - 6))}px`;
  });
}
