/* Runs once in each gr.HTML of the app: hands clicks (or Enter) on marked elements to the server,
   keeps the end of the conversation and the highlighted part of the page in sight. */
const MARKED = '[data-click]';

function send(event) {
  const target = event.target.closest(MARKED);
  if (!target || !element.contains(target)) return;
  const isButton = target.tagName === 'BUTTON';
  if (event.type === 'keydown') {
    if (isButton || !['Enter', ' '].includes(event.key)) return;
    event.preventDefault();
  } else if (!isButton && String(getSelection())) {
    return; /* text of a card is being selected, for copying */
  }
  trigger('click', {...target.dataset});
}

async function showHighlight() {
  const scroller = element.querySelector('.page-scroll');
  const image = scroller?.querySelector('img');
  if (!image) return;
  await image.decode().catch(() => {});
  const margin = scroller.clientHeight / 4;
  scroller.scrollTop = Math.max(0, Number(scroller.dataset.top) * image.clientHeight - margin);
}

function followConversation() {
  const scroller = element.closest('#chat');
  const turns = scroller?.querySelectorAll('.turn');
  if (!turns?.length) return;
  const left = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
  const isNew = turns.length !== Number(element.dataset.turns ?? 0);
  if (isNew || left < 160) scroller.scrollTop = scroller.scrollHeight;
  element.dataset.turns = turns.length;
}

function showSelectedCard() {
  const card = element.querySelector('.card.selected');
  if (!card || card.dataset.rank === element.dataset.selected) return;
  element.dataset.selected = card.dataset.rank;
  card.scrollIntoView({block: 'nearest'});
}

function showOpenRow() {
  const row = element.querySelector('tr.shown');
  if (row) setTimeout(() => row.scrollIntoView({block: 'center'}), 60); /* once the detail is drawn */
}

element.addEventListener('click', send);
element.addEventListener('keydown', send);
watch('value', () => {
  showHighlight();
  followConversation();
  showSelectedCard();
  showOpenRow();
});
