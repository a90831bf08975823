// Written by Tools/ship.
#include "CShipped.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file0[] = {
#embed "../../../Fixtures/market/bodies/candles-bitcoin-usd-1d.json"
};
static const unsigned char file1[] = {
#embed "../../../Fixtures/market/bodies/candles-bitcoin-usd-30d.json"
};
static const unsigned char file2[] = {
#embed "../../../Fixtures/market/bodies/candles-bitcoin-usd-365d.json"
};
static const unsigned char file3[] = {
#embed "../../../Fixtures/market/bodies/candles-bitcoin-usd-7d.json"
};
static const unsigned char file4[] = {
#embed "../../../Fixtures/market/bodies/candles-dogecoin-usd-1d.json"
};
static const unsigned char file5[] = {
#embed "../../../Fixtures/market/bodies/candles-dogecoin-usd-30d.json"
};
static const unsigned char file6[] = {
#embed "../../../Fixtures/market/bodies/candles-dogecoin-usd-365d.json"
};
static const unsigned char file7[] = {
#embed "../../../Fixtures/market/bodies/candles-dogecoin-usd-7d.json"
};
static const unsigned char file8[] = {
#embed "../../../Fixtures/market/bodies/candles-ethereum-usd-1d.json"
};
static const unsigned char file9[] = {
#embed "../../../Fixtures/market/bodies/candles-ethereum-usd-30d.json"
};
static const unsigned char file10[] = {
#embed "../../../Fixtures/market/bodies/candles-ethereum-usd-365d.json"
};
static const unsigned char file11[] = {
#embed "../../../Fixtures/market/bodies/candles-ethereum-usd-7d.json"
};
static const unsigned char file12[] = {
#embed "../../../Fixtures/market/bodies/candles-shiba-inu-usd-1d.json"
};
static const unsigned char file13[] = {
#embed "../../../Fixtures/market/bodies/candles-shiba-inu-usd-30d.json"
};
static const unsigned char file14[] = {
#embed "../../../Fixtures/market/bodies/candles-shiba-inu-usd-365d.json"
};
static const unsigned char file15[] = {
#embed "../../../Fixtures/market/bodies/candles-shiba-inu-usd-7d.json"
};
static const unsigned char file16[] = {
#embed "../../../Fixtures/market/bodies/candles-solana-usd-1d.json"
};
static const unsigned char file17[] = {
#embed "../../../Fixtures/market/bodies/candles-solana-usd-30d.json"
};
static const unsigned char file18[] = {
#embed "../../../Fixtures/market/bodies/candles-solana-usd-365d.json"
};
static const unsigned char file19[] = {
#embed "../../../Fixtures/market/bodies/candles-solana-usd-7d.json"
};
static const unsigned char file20[] = {
#embed "../../../Fixtures/market/bodies/coins-list.json"
};
static const unsigned char file21[] = {
#embed "../../../Fixtures/market/bodies/detail-bitcoin-btc.json"
};
static const unsigned char file22[] = {
#embed "../../../Fixtures/market/bodies/detail-bitcoin-eur.json"
};
static const unsigned char file23[] = {
#embed "../../../Fixtures/market/bodies/detail-bitcoin-gbp.json"
};
static const unsigned char file24[] = {
#embed "../../../Fixtures/market/bodies/detail-bitcoin-usd.json"
};
static const unsigned char file25[] = {
#embed "../../../Fixtures/market/bodies/detail-dogecoin-btc.json"
};
static const unsigned char file26[] = {
#embed "../../../Fixtures/market/bodies/detail-dogecoin-eur.json"
};
static const unsigned char file27[] = {
#embed "../../../Fixtures/market/bodies/detail-dogecoin-gbp.json"
};
static const unsigned char file28[] = {
#embed "../../../Fixtures/market/bodies/detail-dogecoin-usd.json"
};
static const unsigned char file29[] = {
#embed "../../../Fixtures/market/bodies/detail-ethereum-btc.json"
};
static const unsigned char file30[] = {
#embed "../../../Fixtures/market/bodies/detail-ethereum-eur.json"
};
static const unsigned char file31[] = {
#embed "../../../Fixtures/market/bodies/detail-ethereum-gbp.json"
};
static const unsigned char file32[] = {
#embed "../../../Fixtures/market/bodies/detail-ethereum-usd.json"
};
static const unsigned char file33[] = {
#embed "../../../Fixtures/market/bodies/detail-shiba-inu-btc.json"
};
static const unsigned char file34[] = {
#embed "../../../Fixtures/market/bodies/detail-shiba-inu-eur.json"
};
static const unsigned char file35[] = {
#embed "../../../Fixtures/market/bodies/detail-shiba-inu-gbp.json"
};
static const unsigned char file36[] = {
#embed "../../../Fixtures/market/bodies/detail-shiba-inu-usd.json"
};
static const unsigned char file37[] = {
#embed "../../../Fixtures/market/bodies/detail-solana-btc.json"
};
static const unsigned char file38[] = {
#embed "../../../Fixtures/market/bodies/detail-solana-eur.json"
};
static const unsigned char file39[] = {
#embed "../../../Fixtures/market/bodies/detail-solana-gbp.json"
};
static const unsigned char file40[] = {
#embed "../../../Fixtures/market/bodies/detail-solana-usd.json"
};
static const unsigned char file41[] = {
#embed "../../../Fixtures/market/bodies/error-cloudflare.html"
};
static const unsigned char file42[] = {
#embed "../../../Fixtures/market/bodies/error-quotes-empty.json"
};
static const unsigned char file43[] = {
#embed "../../../Fixtures/market/bodies/error-rate-limited.json"
};
static const unsigned char file44[] = {
#embed "../../../Fixtures/market/bodies/line-bitcoin-usd-1d.json"
};
static const unsigned char file45[] = {
#embed "../../../Fixtures/market/bodies/line-bitcoin-usd-30d.json"
};
static const unsigned char file46[] = {
#embed "../../../Fixtures/market/bodies/line-bitcoin-usd-365d.json"
};
static const unsigned char file47[] = {
#embed "../../../Fixtures/market/bodies/line-bitcoin-usd-7d.json"
};
static const unsigned char file48[] = {
#embed "../../../Fixtures/market/bodies/line-dogecoin-usd-1d.json"
};
static const unsigned char file49[] = {
#embed "../../../Fixtures/market/bodies/line-dogecoin-usd-30d.json"
};
static const unsigned char file50[] = {
#embed "../../../Fixtures/market/bodies/line-dogecoin-usd-365d.json"
};
static const unsigned char file51[] = {
#embed "../../../Fixtures/market/bodies/line-dogecoin-usd-7d.json"
};
static const unsigned char file52[] = {
#embed "../../../Fixtures/market/bodies/line-ethereum-usd-1d.json"
};
static const unsigned char file53[] = {
#embed "../../../Fixtures/market/bodies/line-ethereum-usd-30d.json"
};
static const unsigned char file54[] = {
#embed "../../../Fixtures/market/bodies/line-ethereum-usd-365d.json"
};
static const unsigned char file55[] = {
#embed "../../../Fixtures/market/bodies/line-ethereum-usd-7d.json"
};
static const unsigned char file56[] = {
#embed "../../../Fixtures/market/bodies/line-shiba-inu-usd-1d.json"
};
static const unsigned char file57[] = {
#embed "../../../Fixtures/market/bodies/line-shiba-inu-usd-30d.json"
};
static const unsigned char file58[] = {
#embed "../../../Fixtures/market/bodies/line-shiba-inu-usd-365d.json"
};
static const unsigned char file59[] = {
#embed "../../../Fixtures/market/bodies/line-shiba-inu-usd-7d.json"
};
static const unsigned char file60[] = {
#embed "../../../Fixtures/market/bodies/line-solana-usd-1d.json"
};
static const unsigned char file61[] = {
#embed "../../../Fixtures/market/bodies/line-solana-usd-30d.json"
};
static const unsigned char file62[] = {
#embed "../../../Fixtures/market/bodies/line-solana-usd-365d.json"
};
static const unsigned char file63[] = {
#embed "../../../Fixtures/market/bodies/line-solana-usd-7d.json"
};
static const unsigned char file64[] = {
#embed "../../../Fixtures/market/bodies/quotes-btc.json"
};
static const unsigned char file65[] = {
#embed "../../../Fixtures/market/bodies/quotes-eur.json"
};
static const unsigned char file66[] = {
#embed "../../../Fixtures/market/bodies/quotes-gbp.json"
};
static const unsigned char file67[] = {
#embed "../../../Fixtures/market/bodies/quotes-usd.json"
};
static const unsigned char file68[] = {
#embed "../../../Fixtures/market/recording.har"
};
static const unsigned char file69[] = {
#embed "../../../imports/binance-trades.yaml"
};
static const unsigned char file70[] = {
#embed "../../../imports/binance.yaml"
};
static const unsigned char file71[] = {
#embed "../../../imports/bitpanda.yaml"
};
static const unsigned char file72[] = {
#embed "../../../imports/bitstamp.yaml"
};
static const unsigned char file73[] = {
#embed "../../../imports/bitvavo.yaml"
};
static const unsigned char file74[] = {
#embed "../../../imports/bybit.yaml"
};
static const unsigned char file75[] = {
#embed "../../../imports/coinbase.yaml"
};
static const unsigned char file76[] = {
#embed "../../../imports/cointracking.yaml"
};
static const unsigned char file77[] = {
#embed "../../../imports/cryptocom.yaml"
};
static const unsigned char file78[] = {
#embed "../../../imports/delta.yaml"
};
static const unsigned char file79[] = {
#embed "../../../imports/ghostfolio.yaml"
};
static const unsigned char file80[] = {
#embed "../../../imports/koinly.yaml"
};
static const unsigned char file81[] = {
#embed "../../../imports/kraken-ledgers.yaml"
};
static const unsigned char file82[] = {
#embed "../../../imports/kraken-trades.yaml"
};
static const unsigned char file83[] = {
#embed "../../../imports/kucoin.yaml"
};
static const unsigned char file84[] = {
#embed "../../../imports/revolut.yaml"
};
static const unsigned char file85[] = {
#embed "../../../providers/alphavantage.yaml"
};
static const unsigned char file86[] = {
#embed "../../../providers/amfi.yaml"
};
static const unsigned char file87[] = {
#embed "../../../providers/analizy.yaml"
};
static const unsigned char file88[] = {
#embed "../../../providers/avanza.yaml"
};
static const unsigned char file89[] = {
#embed "../../../providers/banrep.yaml"
};
static const unsigned char file90[] = {
#embed "../../../providers/banxico.yaml"
};
static const unsigned char file91[] = {
#embed "../../../providers/base/exchange.yaml"
};
static const unsigned char file92[] = {
#embed "../../../providers/bcb.yaml"
};
static const unsigned char file93[] = {
#embed "../../../providers/bequant.yaml"
};
static const unsigned char file94[] = {
#embed "../../../providers/binance.yaml"
};
static const unsigned char file95[] = {
#embed "../../../providers/binanceus.yaml"
};
static const unsigned char file96[] = {
#embed "../../../providers/bitbank.yaml"
};
static const unsigned char file97[] = {
#embed "../../../providers/bitfinex.yaml"
};
static const unsigned char file98[] = {
#embed "../../../providers/bitflyer.yaml"
};
static const unsigned char file99[] = {
#embed "../../../providers/bitget.yaml"
};
static const unsigned char file100[] = {
#embed "../../../providers/bithumb.yaml"
};
static const unsigned char file101[] = {
#embed "../../../providers/bitopro.yaml"
};
static const unsigned char file102[] = {
#embed "../../../providers/bitpay.yaml"
};
static const unsigned char file103[] = {
#embed "../../../providers/bitso.yaml"
};
static const unsigned char file104[] = {
#embed "../../../providers/bitstamp.yaml"
};
static const unsigned char file105[] = {
#embed "../../../providers/bittrade.yaml"
};
static const unsigned char file106[] = {
#embed "../../../providers/bitvavo.yaml"
};
static const unsigned char file107[] = {
#embed "../../../providers/blockchaininfo.yaml"
};
static const unsigned char file108[] = {
#embed "../../../providers/bnm.yaml"
};
static const unsigned char file109[] = {
#embed "../../../providers/bnr.yaml"
};
static const unsigned char file110[] = {
#embed "../../../providers/boc.yaml"
};
static const unsigned char file111[] = {
#embed "../../../providers/boe.yaml"
};
static const unsigned char file112[] = {
#embed "../../../providers/boi.yaml"
};
static const unsigned char file113[] = {
#embed "../../../providers/btcmarkets.yaml"
};
static const unsigned char file114[] = {
#embed "../../../providers/btcturk.yaml"
};
static const unsigned char file115[] = {
#embed "../../../providers/bybit.yaml"
};
static const unsigned char file116[] = {
#embed "../../../providers/cbr.yaml"
};
static const unsigned char file117[] = {
#embed "../../../providers/cbrmetals.yaml"
};
static const unsigned char file118[] = {
#embed "../../../providers/cbu.yaml"
};
static const unsigned char file119[] = {
#embed "../../../providers/cnb.yaml"
};
static const unsigned char file120[] = {
#embed "../../../providers/coinbase.yaml"
};
static const unsigned char file121[] = {
#embed "../../../providers/coincap.yaml"
};
static const unsigned char file122[] = {
#embed "../../../providers/coincheck.yaml"
};
static const unsigned char file123[] = {
#embed "../../../providers/coinlore.yaml"
};
static const unsigned char file124[] = {
#embed "../../../providers/coinmarketcap.yaml"
};
static const unsigned char file125[] = {
#embed "../../../providers/coinpaprika.yaml"
};
static const unsigned char file126[] = {
#embed "../../../providers/coinsph.yaml"
};
static const unsigned char file127[] = {
#embed "../../../providers/cryptocom.yaml"
};
static const unsigned char file128[] = {
#embed "../../../providers/cryptocompare.yaml"
};
static const unsigned char file129[] = {
#embed "../../../providers/currencyapi.yaml"
};
static const unsigned char file130[] = {
#embed "../../../providers/defillama.yaml"
};
static const unsigned char file131[] = {
#embed "../../../providers/dnb.yaml"
};
static const unsigned char file132[] = {
#embed "../../../providers/ecb.yaml"
};
static const unsigned char file133[] = {
#embed "../../../providers/eodhd.yaml"
};
static const unsigned char file134[] = {
#embed "../../../providers/erapi.yaml"
};
static const unsigned char file135[] = {
#embed "../../../providers/finnhub.yaml"
};
static const unsigned char file136[] = {
#embed "../../../providers/fixture.yaml"
};
static const unsigned char file137[] = {
#embed "../../../providers/fmp.yaml"
};
static const unsigned char file138[] = {
#embed "../../../providers/frankfurter.yaml"
};
static const unsigned char file139[] = {
#embed "../../../providers/fred.yaml"
};
static const unsigned char file140[] = {
#embed "../../../providers/gate.yaml"
};
static const unsigned char file141[] = {
#embed "../../../providers/gemini.yaml"
};
static const unsigned char file142[] = {
#embed "../../../providers/goldapi.yaml"
};
static const unsigned char file143[] = {
#embed "../../../providers/goldapicom.yaml"
};
static const unsigned char file144[] = {
#embed "../../../providers/hitbtc.yaml"
};
static const unsigned char file145[] = {
#embed "../../../providers/hkma.yaml"
};
static const unsigned char file146[] = {
#embed "../../../providers/hnb.yaml"
};
static const unsigned char file147[] = {
#embed "../../../providers/htx.yaml"
};
static const unsigned char file148[] = {
#embed "../../../providers/independentreserve.yaml"
};
static const unsigned char file149[] = {
#embed "../../../providers/indodax.yaml"
};
static const unsigned char file150[] = {
#embed "../../../providers/justetf.yaml"
};
static const unsigned char file151[] = {
#embed "../../../providers/kraken.yaml"
};
static const unsigned char file152[] = {
#embed "../../../providers/kucoin.yaml"
};
static const unsigned char file153[] = {
#embed "../../../providers/lbma.yaml"
};
static const unsigned char file154[] = {
#embed "../../../providers/livecoinwatch.yaml"
};
static const unsigned char file155[] = {
#embed "../../../providers/luno.yaml"
};
static const unsigned char file156[] = {
#embed "../../../providers/mempool.yaml"
};
static const unsigned char file157[] = {
#embed "../../../providers/mercadobitcoin.yaml"
};
static const unsigned char file158[] = {
#embed "../../../providers/metalpriceapi.yaml"
};
static const unsigned char file159[] = {
#embed "../../../providers/metalsdev.yaml"
};
static const unsigned char file160[] = {
#embed "../../../providers/mexc.yaml"
};
static const unsigned char file161[] = {
#embed "../../../providers/mfapi.yaml"
};
static const unsigned char file162[] = {
#embed "../../../providers/moex.yaml"
};
static const unsigned char file163[] = {
#embed "../../../providers/nbg.yaml"
};
static const unsigned char file164[] = {
#embed "../../../providers/nbkr.yaml"
};
static const unsigned char file165[] = {
#embed "../../../providers/nbp.yaml"
};
static const unsigned char file166[] = {
#embed "../../../providers/nbpgold.yaml"
};
static const unsigned char file167[] = {
#embed "../../../providers/nbrb.yaml"
};
static const unsigned char file168[] = {
#embed "../../../providers/nbrm.yaml"
};
static const unsigned char file169[] = {
#embed "../../../providers/nbu.yaml"
};
static const unsigned char file170[] = {
#embed "../../../providers/norgesbank.yaml"
};
static const unsigned char file171[] = {
#embed "../../../providers/okx.yaml"
};
static const unsigned char file172[] = {
#embed "../../../providers/openexchangerates.yaml"
};
static const unsigned char file173[] = {
#embed "../../../providers/poloniex.yaml"
};
static const unsigned char file174[] = {
#embed "../../../providers/polygon.yaml"
};
static const unsigned char file175[] = {
#embed "../../../providers/rba.yaml"
};
static const unsigned char file176[] = {
#embed "../../../providers/riksbank.yaml"
};
static const unsigned char file177[] = {
#embed "../../../providers/sarb.yaml"
};
static const unsigned char file178[] = {
#embed "../../../providers/stooq.yaml"
};
static const unsigned char file179[] = {
#embed "../../../providers/tcmb.yaml"
};
static const unsigned char file180[] = {
#embed "../../../providers/tiingo.yaml"
};
static const unsigned char file181[] = {
#embed "../../../providers/tsp.yaml"
};
static const unsigned char file182[] = {
#embed "../../../providers/twelvedata.yaml"
};
static const unsigned char file183[] = {
#embed "../../../providers/twse.yaml"
};
static const unsigned char file184[] = {
#embed "../../../providers/upbit.yaml"
};
static const unsigned char file185[] = {
#embed "../../../providers/whitebit.yaml"
};
static const unsigned char file186[] = {
#embed "../../../providers/yahoo.yaml"
};
static const unsigned char file187[] = {
#embed "../../../docs/schemas/provider.json"
};

static const bitpal_shipped_file files[] = {
  {"Fixtures/market/bodies/candles-bitcoin-usd-1d.json", file0, sizeof file0},
  {"Fixtures/market/bodies/candles-bitcoin-usd-30d.json", file1, sizeof file1},
  {"Fixtures/market/bodies/candles-bitcoin-usd-365d.json", file2, sizeof file2},
  {"Fixtures/market/bodies/candles-bitcoin-usd-7d.json", file3, sizeof file3},
  {"Fixtures/market/bodies/candles-dogecoin-usd-1d.json", file4, sizeof file4},
  {"Fixtures/market/bodies/candles-dogecoin-usd-30d.json", file5, sizeof file5},
  {"Fixtures/market/bodies/candles-dogecoin-usd-365d.json", file6, sizeof file6},
  {"Fixtures/market/bodies/candles-dogecoin-usd-7d.json", file7, sizeof file7},
  {"Fixtures/market/bodies/candles-ethereum-usd-1d.json", file8, sizeof file8},
  {"Fixtures/market/bodies/candles-ethereum-usd-30d.json", file9, sizeof file9},
  {"Fixtures/market/bodies/candles-ethereum-usd-365d.json", file10, sizeof file10},
  {"Fixtures/market/bodies/candles-ethereum-usd-7d.json", file11, sizeof file11},
  {"Fixtures/market/bodies/candles-shiba-inu-usd-1d.json", file12, sizeof file12},
  {"Fixtures/market/bodies/candles-shiba-inu-usd-30d.json", file13, sizeof file13},
  {"Fixtures/market/bodies/candles-shiba-inu-usd-365d.json", file14, sizeof file14},
  {"Fixtures/market/bodies/candles-shiba-inu-usd-7d.json", file15, sizeof file15},
  {"Fixtures/market/bodies/candles-solana-usd-1d.json", file16, sizeof file16},
  {"Fixtures/market/bodies/candles-solana-usd-30d.json", file17, sizeof file17},
  {"Fixtures/market/bodies/candles-solana-usd-365d.json", file18, sizeof file18},
  {"Fixtures/market/bodies/candles-solana-usd-7d.json", file19, sizeof file19},
  {"Fixtures/market/bodies/coins-list.json", file20, sizeof file20},
  {"Fixtures/market/bodies/detail-bitcoin-btc.json", file21, sizeof file21},
  {"Fixtures/market/bodies/detail-bitcoin-eur.json", file22, sizeof file22},
  {"Fixtures/market/bodies/detail-bitcoin-gbp.json", file23, sizeof file23},
  {"Fixtures/market/bodies/detail-bitcoin-usd.json", file24, sizeof file24},
  {"Fixtures/market/bodies/detail-dogecoin-btc.json", file25, sizeof file25},
  {"Fixtures/market/bodies/detail-dogecoin-eur.json", file26, sizeof file26},
  {"Fixtures/market/bodies/detail-dogecoin-gbp.json", file27, sizeof file27},
  {"Fixtures/market/bodies/detail-dogecoin-usd.json", file28, sizeof file28},
  {"Fixtures/market/bodies/detail-ethereum-btc.json", file29, sizeof file29},
  {"Fixtures/market/bodies/detail-ethereum-eur.json", file30, sizeof file30},
  {"Fixtures/market/bodies/detail-ethereum-gbp.json", file31, sizeof file31},
  {"Fixtures/market/bodies/detail-ethereum-usd.json", file32, sizeof file32},
  {"Fixtures/market/bodies/detail-shiba-inu-btc.json", file33, sizeof file33},
  {"Fixtures/market/bodies/detail-shiba-inu-eur.json", file34, sizeof file34},
  {"Fixtures/market/bodies/detail-shiba-inu-gbp.json", file35, sizeof file35},
  {"Fixtures/market/bodies/detail-shiba-inu-usd.json", file36, sizeof file36},
  {"Fixtures/market/bodies/detail-solana-btc.json", file37, sizeof file37},
  {"Fixtures/market/bodies/detail-solana-eur.json", file38, sizeof file38},
  {"Fixtures/market/bodies/detail-solana-gbp.json", file39, sizeof file39},
  {"Fixtures/market/bodies/detail-solana-usd.json", file40, sizeof file40},
  {"Fixtures/market/bodies/error-cloudflare.html", file41, sizeof file41},
  {"Fixtures/market/bodies/error-quotes-empty.json", file42, sizeof file42},
  {"Fixtures/market/bodies/error-rate-limited.json", file43, sizeof file43},
  {"Fixtures/market/bodies/line-bitcoin-usd-1d.json", file44, sizeof file44},
  {"Fixtures/market/bodies/line-bitcoin-usd-30d.json", file45, sizeof file45},
  {"Fixtures/market/bodies/line-bitcoin-usd-365d.json", file46, sizeof file46},
  {"Fixtures/market/bodies/line-bitcoin-usd-7d.json", file47, sizeof file47},
  {"Fixtures/market/bodies/line-dogecoin-usd-1d.json", file48, sizeof file48},
  {"Fixtures/market/bodies/line-dogecoin-usd-30d.json", file49, sizeof file49},
  {"Fixtures/market/bodies/line-dogecoin-usd-365d.json", file50, sizeof file50},
  {"Fixtures/market/bodies/line-dogecoin-usd-7d.json", file51, sizeof file51},
  {"Fixtures/market/bodies/line-ethereum-usd-1d.json", file52, sizeof file52},
  {"Fixtures/market/bodies/line-ethereum-usd-30d.json", file53, sizeof file53},
  {"Fixtures/market/bodies/line-ethereum-usd-365d.json", file54, sizeof file54},
  {"Fixtures/market/bodies/line-ethereum-usd-7d.json", file55, sizeof file55},
  {"Fixtures/market/bodies/line-shiba-inu-usd-1d.json", file56, sizeof file56},
  {"Fixtures/market/bodies/line-shiba-inu-usd-30d.json", file57, sizeof file57},
  {"Fixtures/market/bodies/line-shiba-inu-usd-365d.json", file58, sizeof file58},
  {"Fixtures/market/bodies/line-shiba-inu-usd-7d.json", file59, sizeof file59},
  {"Fixtures/market/bodies/line-solana-usd-1d.json", file60, sizeof file60},
  {"Fixtures/market/bodies/line-solana-usd-30d.json", file61, sizeof file61},
  {"Fixtures/market/bodies/line-solana-usd-365d.json", file62, sizeof file62},
  {"Fixtures/market/bodies/line-solana-usd-7d.json", file63, sizeof file63},
  {"Fixtures/market/bodies/quotes-btc.json", file64, sizeof file64},
  {"Fixtures/market/bodies/quotes-eur.json", file65, sizeof file65},
  {"Fixtures/market/bodies/quotes-gbp.json", file66, sizeof file66},
  {"Fixtures/market/bodies/quotes-usd.json", file67, sizeof file67},
  {"Fixtures/market/recording.har", file68, sizeof file68},
  {"imports/binance-trades.yaml", file69, sizeof file69},
  {"imports/binance.yaml", file70, sizeof file70},
  {"imports/bitpanda.yaml", file71, sizeof file71},
  {"imports/bitstamp.yaml", file72, sizeof file72},
  {"imports/bitvavo.yaml", file73, sizeof file73},
  {"imports/bybit.yaml", file74, sizeof file74},
  {"imports/coinbase.yaml", file75, sizeof file75},
  {"imports/cointracking.yaml", file76, sizeof file76},
  {"imports/cryptocom.yaml", file77, sizeof file77},
  {"imports/delta.yaml", file78, sizeof file78},
  {"imports/ghostfolio.yaml", file79, sizeof file79},
  {"imports/koinly.yaml", file80, sizeof file80},
  {"imports/kraken-ledgers.yaml", file81, sizeof file81},
  {"imports/kraken-trades.yaml", file82, sizeof file82},
  {"imports/kucoin.yaml", file83, sizeof file83},
  {"imports/revolut.yaml", file84, sizeof file84},
  {"providers/alphavantage.yaml", file85, sizeof file85},
  {"providers/amfi.yaml", file86, sizeof file86},
  {"providers/analizy.yaml", file87, sizeof file87},
  {"providers/avanza.yaml", file88, sizeof file88},
  {"providers/banrep.yaml", file89, sizeof file89},
  {"providers/banxico.yaml", file90, sizeof file90},
  {"providers/base/exchange.yaml", file91, sizeof file91},
  {"providers/bcb.yaml", file92, sizeof file92},
  {"providers/bequant.yaml", file93, sizeof file93},
  {"providers/binance.yaml", file94, sizeof file94},
  {"providers/binanceus.yaml", file95, sizeof file95},
  {"providers/bitbank.yaml", file96, sizeof file96},
  {"providers/bitfinex.yaml", file97, sizeof file97},
  {"providers/bitflyer.yaml", file98, sizeof file98},
  {"providers/bitget.yaml", file99, sizeof file99},
  {"providers/bithumb.yaml", file100, sizeof file100},
  {"providers/bitopro.yaml", file101, sizeof file101},
  {"providers/bitpay.yaml", file102, sizeof file102},
  {"providers/bitso.yaml", file103, sizeof file103},
  {"providers/bitstamp.yaml", file104, sizeof file104},
  {"providers/bittrade.yaml", file105, sizeof file105},
  {"providers/bitvavo.yaml", file106, sizeof file106},
  {"providers/blockchaininfo.yaml", file107, sizeof file107},
  {"providers/bnm.yaml", file108, sizeof file108},
  {"providers/bnr.yaml", file109, sizeof file109},
  {"providers/boc.yaml", file110, sizeof file110},
  {"providers/boe.yaml", file111, sizeof file111},
  {"providers/boi.yaml", file112, sizeof file112},
  {"providers/btcmarkets.yaml", file113, sizeof file113},
  {"providers/btcturk.yaml", file114, sizeof file114},
  {"providers/bybit.yaml", file115, sizeof file115},
  {"providers/cbr.yaml", file116, sizeof file116},
  {"providers/cbrmetals.yaml", file117, sizeof file117},
  {"providers/cbu.yaml", file118, sizeof file118},
  {"providers/cnb.yaml", file119, sizeof file119},
  {"providers/coinbase.yaml", file120, sizeof file120},
  {"providers/coincap.yaml", file121, sizeof file121},
  {"providers/coincheck.yaml", file122, sizeof file122},
  {"providers/coinlore.yaml", file123, sizeof file123},
  {"providers/coinmarketcap.yaml", file124, sizeof file124},
  {"providers/coinpaprika.yaml", file125, sizeof file125},
  {"providers/coinsph.yaml", file126, sizeof file126},
  {"providers/cryptocom.yaml", file127, sizeof file127},
  {"providers/cryptocompare.yaml", file128, sizeof file128},
  {"providers/currencyapi.yaml", file129, sizeof file129},
  {"providers/defillama.yaml", file130, sizeof file130},
  {"providers/dnb.yaml", file131, sizeof file131},
  {"providers/ecb.yaml", file132, sizeof file132},
  {"providers/eodhd.yaml", file133, sizeof file133},
  {"providers/erapi.yaml", file134, sizeof file134},
  {"providers/finnhub.yaml", file135, sizeof file135},
  {"providers/fixture.yaml", file136, sizeof file136},
  {"providers/fmp.yaml", file137, sizeof file137},
  {"providers/frankfurter.yaml", file138, sizeof file138},
  {"providers/fred.yaml", file139, sizeof file139},
  {"providers/gate.yaml", file140, sizeof file140},
  {"providers/gemini.yaml", file141, sizeof file141},
  {"providers/goldapi.yaml", file142, sizeof file142},
  {"providers/goldapicom.yaml", file143, sizeof file143},
  {"providers/hitbtc.yaml", file144, sizeof file144},
  {"providers/hkma.yaml", file145, sizeof file145},
  {"providers/hnb.yaml", file146, sizeof file146},
  {"providers/htx.yaml", file147, sizeof file147},
  {"providers/independentreserve.yaml", file148, sizeof file148},
  {"providers/indodax.yaml", file149, sizeof file149},
  {"providers/justetf.yaml", file150, sizeof file150},
  {"providers/kraken.yaml", file151, sizeof file151},
  {"providers/kucoin.yaml", file152, sizeof file152},
  {"providers/lbma.yaml", file153, sizeof file153},
  {"providers/livecoinwatch.yaml", file154, sizeof file154},
  {"providers/luno.yaml", file155, sizeof file155},
  {"providers/mempool.yaml", file156, sizeof file156},
  {"providers/mercadobitcoin.yaml", file157, sizeof file157},
  {"providers/metalpriceapi.yaml", file158, sizeof file158},
  {"providers/metalsdev.yaml", file159, sizeof file159},
  {"providers/mexc.yaml", file160, sizeof file160},
  {"providers/mfapi.yaml", file161, sizeof file161},
  {"providers/moex.yaml", file162, sizeof file162},
  {"providers/nbg.yaml", file163, sizeof file163},
  {"providers/nbkr.yaml", file164, sizeof file164},
  {"providers/nbp.yaml", file165, sizeof file165},
  {"providers/nbpgold.yaml", file166, sizeof file166},
  {"providers/nbrb.yaml", file167, sizeof file167},
  {"providers/nbrm.yaml", file168, sizeof file168},
  {"providers/nbu.yaml", file169, sizeof file169},
  {"providers/norgesbank.yaml", file170, sizeof file170},
  {"providers/okx.yaml", file171, sizeof file171},
  {"providers/openexchangerates.yaml", file172, sizeof file172},
  {"providers/poloniex.yaml", file173, sizeof file173},
  {"providers/polygon.yaml", file174, sizeof file174},
  {"providers/rba.yaml", file175, sizeof file175},
  {"providers/riksbank.yaml", file176, sizeof file176},
  {"providers/sarb.yaml", file177, sizeof file177},
  {"providers/stooq.yaml", file178, sizeof file178},
  {"providers/tcmb.yaml", file179, sizeof file179},
  {"providers/tiingo.yaml", file180, sizeof file180},
  {"providers/tsp.yaml", file181, sizeof file181},
  {"providers/twelvedata.yaml", file182, sizeof file182},
  {"providers/twse.yaml", file183, sizeof file183},
  {"providers/upbit.yaml", file184, sizeof file184},
  {"providers/whitebit.yaml", file185, sizeof file185},
  {"providers/yahoo.yaml", file186, sizeof file186},
  {"docs/schemas/provider.json", file187, sizeof file187},
};

const bitpal_shipped_file *bitpal_shipped_files(void) { return files; }

size_t bitpal_shipped_count(void) { return 188; }
