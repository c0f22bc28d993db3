/* Single keys for the buttons that are marked with data-key; only while they can be seen, never while
   something is typed, and not again before the answer to the last one is shown. */
let waiting = false;

function isTyping(target) {
  return target.closest('textarea, select, [contenteditable], input:not([type=checkbox], [type=radio])');
}

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing) return;
  const button = [...element.querySelectorAll('[data-key]')].find(
    (one) => one.dataset.key === event.key.toLowerCase());
  if (!button || button.offsetParent === null || isTyping(event.target)) return;
  event.preventDefault();
  if (waiting) return;
  waiting = true;
  setTimeout(() => { waiting = false; }, 3000);
  button.classList.add('pressed');
  trigger('click', {...button.dataset});
});
watch('value', () => { waiting = false; });
